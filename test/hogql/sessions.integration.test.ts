import { afterAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { compile, type HogqlScope } from "../../src/hogql/index.js"
import { TestEngine } from "./support/engine.js"
import { emptyScope } from "./support/scope.js"

const engine = new TestEngine()
engine.stopMerges("session_rollup")
afterAll(() => engine.close())

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const FIRST_DAY = Date.UTC(2026, 0, 1)

/** A UUID of version 7 that was made then. */
const toSessionId = (ms: number, number: number): string => {
  const hex = ms.toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(number).padStart(12, "0")}`
}

const EVENT = fc.record({
  project: fc.constantFrom(1, 1, 1, 2),
  session: fc.integer({ min: 0, max: 11 }),
  event: fc.constantFrom("$pageview", "$screen", "$autocapture", "other"),
  distinctId: fc.constantFrom("a", "b"),
  /** From the time in the id: within the session, at its edges, and far from it. */
  offset: fc.constantFrom(0, 5_000, MINUTE, 3 * MINUTE, DAY - 1, DAY, DAY + 1, -DAY, 30 * DAY, -200 * DAY),
  url: fc.constantFrom("https://a.example/x", "https://a.example/y?z=1", ""),
  source: fc.constantFrom("google", "newsletter", ""),
})

function store(events: readonly (typeof EVENT extends fc.Arbitrary<infer Value> ? Value : never)[]): void {
  const rows = events.map(({ project, session, event, distinctId, offset, url, source }, index) => {
    // Sessions two and a half days apart, so that some begin at midnight and some at noon.
    const madeAt = FIRST_DAY + session * 2.5 * DAY
    const time = new Date(madeAt + offset).toISOString()
    return {
      project_id: project,
      uuid: `0190e000-0000-7000-8000-${String(index).padStart(12, "0")}`,
      event,
      distinct_id: distinctId,
      properties: JSON.stringify({ $current_url: url, utm_source: source }),
      timestamp: time,
      created_at: time,
      person_id: "0190dfff-0000-7000-8000-000000000000",
      person_created_at: time,
      person_properties: "{}",
      person_mode: "full",
      $session_id: toSessionId(madeAt, session),
    }
  })
  // Several inserts, so that a session has several rows.
  for (const share of [0, 1, 2])
    engine.insert(
      "events",
      rows.filter((_, index) => index % 3 === share),
    )
}

const CONDITIONS = [
  "1",
  "$start_timestamp >= '2026-01-10'",
  "$start_timestamp < '2026-01-10 12:00:00'",
  "$start_timestamp = '2026-01-11 00:00:00'",
  "$end_timestamp > '2026-01-10' AND $end_timestamp <= '2026-01-12'",
  "$start_timestamp >= '2026-01-06' AND $start_timestamp < '2026-01-08' AND $is_bounce",
  "$start_timestamp < '2026-01-05' AND $end_timestamp > '2026-01-20'",
  "$start_timestamp BETWEEN '2026-01-05' AND '2026-01-09' OR $start_timestamp > '2026-01-25'",
  "$start_timestamp > '2026-01-20' OR $pageview_count = 1",
  "NOT ($start_timestamp > '2026-01-20')",
  "$start_timestamp > today() - 20",
  "toDate($start_timestamp) = '2026-01-11'",
]
const TEXTS = [
  ...CONDITIONS.map((condition) => `SELECT * FROM sessions WHERE ${condition} ORDER BY session_id`),
  `SELECT session_id, s.$entry_pathname
    FROM sessions AS s LEFT JOIN events AS e ON e.$session_id = s.session_id
    WHERE s.$start_timestamp > '2026-01-10' ORDER BY 1, 2`,
  `SELECT e.event, s.$channel_type
    FROM events AS e RIGHT JOIN sessions AS s ON e.$session_id = s.session_id
    WHERE s.$start_timestamp > '2026-01-10' ORDER BY 1, 2`,
  `SELECT session.$channel_type, count(), max(session.$session_duration)
    FROM events
    WHERE timestamp >= '2026-01-08' AND timestamp < '2026-01-12' GROUP BY 1 ORDER BY 1`,
  `SELECT uuid, session.$start_timestamp, session.$is_bounce
    FROM events
    WHERE (timestamp < '2026-01-04' OR timestamp > '2026-01-20') AND event = '$pageview' ORDER BY 1`,
  "SELECT uuid, session.$entry_utm_source FROM events WHERE timestamp > '2026-01-20' OR event = 'other' ORDER BY 1",
]

async function answer(text: string, scope: Partial<HogqlScope>) {
  const compiled = await compile({ text }, { ...emptyScope, nowMs: FIRST_DAY + 30 * DAY, ...scope })
  return engine.run(compiled)
}

describe("sessions that are rolled up", () => {
  test("are those that events would be worked out to, whatever times are asked for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(EVENT, { minLength: 1, maxLength: 40 }), async (events) => {
        for (const table of ["events", "session_rollup"]) engine.empty(table)
        store(events)
        for (const text of TEXTS)
          for (const scope of [{ timezone: "UTC" }, { timezone: "Pacific/Auckland", inlinesSubqueries: true }]) {
            const recounted = await answer(text, { ...scope, hasAllSessions: false })
            expect([text, await answer(text, { ...scope, hasAllSessions: true })]).toEqual([text, recounted])
          }
      }),
      { numRuns: 4, interruptAfterTimeLimit: 30_000 },
    )
  }, 240_000)

  test("are found by their days: those of other days are not read", async () => {
    for (const table of ["events", "session_rollup"]) engine.empty(table)
    store(fc.sample(EVENT, { numRuns: 40, seed: 1 }))
    const { sql } = await compile(
      { text: "SELECT session_id FROM sessions WHERE $start_timestamp > '2026-01-10'" },
      emptyScope,
    )
    expect(sql).toContain("r.day")
    const joined = await compile(
      { text: "SELECT session.$is_bounce FROM events WHERE timestamp > '2026-01-10'" },
      { ...emptyScope, inlinesSubqueries: true },
    )
    expect(joined.sql).toContain("r.day")
  })
})
