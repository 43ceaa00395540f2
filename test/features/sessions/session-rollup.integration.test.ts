import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { createSessionFill } from "../../../src/features/sessions/session-fill.store.js"
import { createSessionRollup } from "../../../src/features/sessions/session-rollup.store.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"
import { readSessions } from "./recount.js"

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

/** When the session ids below were made. */
const MADE_AT_MS = 0x0199a0000000
const SESSIONS = [
  "0199a000-0000-7000-8000-000000000001",
  "0199a000-0000-7000-8000-00000000000B",
  "0199a000-0001-7fff-bfff-ffffffffffff",
  // No UUID of version 7: no session.
  "0199a000-0000-4000-8000-000000000001",
  "my session",
  "",
]
/** Minutes from the time in the session id to an event: late ones, historical ones, and some at the same moment. */
const MINUTES = [0, 0, 1, 1, 2, 30, 1440, 1441, -1440, -1441, 60 * 24 * 400, -60 * 24 * 3000]
const PROPERTIES = fc.record(
  {
    $current_url: fc.constantFrom("https://a.example/x?y=1", "https://b.example/", "no address", "", "héllo/ø\t\n'"),
    $pathname: fc.constantFrom("/own", "", "/\\"),
    $host: fc.constantFrom("own.example", ""),
    $referring_domain: fc.constantFrom("$direct", "google.com", 7, null, true, ["x"]),
    $external_click_url: fc.constantFrom("https://else.example/1", "https://else.example/2", ""),
    utm_source: fc.constantFrom("news", "google", 12, 1.5, null, { a: 1 }, "null", '"quoted"'),
    utm_term: fc.constantFrom("shoes", "\u2028"),
    gclid: fc.constantFrom("1", ""),
    msclkid: fc.constantFrom("ms", 3),
    gclsrc: fc.constantFrom("aw.ds", false),
    li_fat_id: fc.constantFrom("li", ["x"]),
    ttclid: fc.constantFrom("tt", "\u0001"),
  },
  { requiredKeys: [] },
)
const EVENT = fc.record({
  event: fc.constantFrom("$pageview", "$screen", "$autocapture", "$pageleave", "other"),
  session: fc.constantFrom(...SESSIONS),
  project: fc.constantFrom(1, 1, 2),
  distinctId: fc.constantFrom("a", "b", "c"),
  minutes: fc.constantFrom(...MINUTES),
  properties: PROPERTIES,
})
type TestEvent = (typeof EVENT extends fc.Arbitrary<infer Value> ? Value : never) & { readonly uuid: string }

const toRow = ({ event, session, project, distinctId, minutes, properties, uuid }: TestEvent) => {
  const timestamp = new Date(MADE_AT_MS + minutes * 60_000).toISOString()
  return {
    project_id: project,
    uuid,
    event,
    distinct_id: distinctId,
    properties: JSON.stringify(properties),
    timestamp,
    created_at: timestamp,
    person_id: "00000000-0000-0000-0000-000000000001",
    person_created_at: timestamp,
    person_properties: "{}",
    person_mode: "full",
    $session_id: session,
  }
}

let batches = 0
const insert = (events: readonly TestEvent[], deduplicationToken: string) =>
  stores.clickHouse.insert({ table: "events", rows: events.map(toRow), deduplicationToken })

async function empty(): Promise<void> {
  for (const table of ["events", "session_rollup", "session_rollup_fills"])
    await stores.clickHouse.command({ sql: `TRUNCATE TABLE ${table}` })
}

const merge = () => stores.clickHouse.command({ sql: "OPTIMIZE TABLE session_rollup FINAL" })

async function expectEqual(): Promise<void> {
  const { rolledUp, recounted } = await readSessions(stores.clickHouse)
  expect(rolledUp).toEqual(recounted)
}

const BATCHES = fc
  .array(fc.tuple(fc.array(EVENT, { minLength: 1, maxLength: 12 }), fc.boolean(), fc.boolean()), {
    minLength: 1,
    maxLength: 5,
  })
  .map((drawn) =>
    drawn.map(([events, isRepeated, isMerged], batch) => ({
      isRepeated,
      isMerged,
      events: events.map((event, index) => {
        const number = `${batch}${String(index).padStart(2, "0")}`
        // The last batch has the smallest uuids, so that ties are not decided by the order of inserts.
        return { ...event, uuid: `0199a000-0000-7000-${9 - batch}000-${number.padStart(12, "0")}` }
      }),
    })),
  )

/** The events of some batches, the same each time. */
const draw = (seed: number): TestEvent[] =>
  fc.sample(BATCHES, { numRuns: 1, seed }).flatMap((drawn) => drawn.flatMap(({ events }) => events))

const createFill = () => {
  const { pool, clickHouse } = stores
  return createSessionFill({ pool, clickHouse, rollup: createSessionRollup(clickHouse), logger: silentLogger })
}

describe("the roll-up of sessions", () => {
  test("of stores without events has nothing to be filled with", async () => {
    expect(await createSessionRollup(stores.clickHouse).isFilled()).toBe(true)
  })

  test("equals a recount of the events, in any order, with batches repeated and parts merged", async () => {
    await fc.assert(
      fc.asyncProperty(BATCHES, async (drawn) => {
        await empty()
        for (const { events, isRepeated, isMerged } of drawn) {
          const token = `rollup-${batches++}`
          await insert(events, token)
          if (isRepeated) await insert(events, token)
          if (isMerged) await merge()
        }
        await expectEqual()
        // Whatever is handed to it once more changes nothing.
        await createSessionRollup(stores.clickHouse).refill("project_id = {project:Int64}", { project: 1 })
        await expectEqual()
        await merge()
        await expectEqual()
      }),
      { numRuns: 8 },
    )
  }, 240_000)

  test("gets the same from a process of before, which hands events on with their text alone", async () => {
    await empty()
    await insert(draw(7), `rollup-${batches++}`)
    const before = await readSessions(stores.clickHouse)
    await stores.clickHouse.command({ sql: "TRUNCATE TABLE session_rollup" })
    await stores.clickHouse.command({
      sql: `INSERT INTO session_events
        SELECT project_id, \`$session_id\`, uuid, event, distinct_id, properties, timestamp, now64(3)
        FROM events WHERE \`$session_id\` != ''`,
    })
    expect(before.rolledUp).not.toEqual([])
    expect(await readSessions(stores.clickHouse)).toEqual(before)
  })

  test("gets from a repeated batch what the first attempt stored of the events alone", async () => {
    await empty()
    const events = draw(3)
    const token = `rollup-${batches++}`
    await stores.clickHouse.command({ sql: "DETACH TABLE session_sources_of_events" })
    await insert(events, token)
    await stores.clickHouse.command({ sql: "ATTACH TABLE session_sources_of_events" })
    expect((await readSessions(stores.clickHouse)).rolledUp).toEqual([])
    await insert(events, token)
    expect((await readSessions(stores.clickHouse)).rolledUp).not.toEqual([])
    await expectEqual()
  })

  test("is filled with the sessions of events that were there before it", async () => {
    await empty()
    await insert(draw(5), `rollup-${batches++}`)
    await stores.clickHouse.command({ sql: "TRUNCATE TABLE session_rollup" })
    const rollup = createSessionRollup(stores.clickHouse)
    expect(await rollup.isFilled()).toBe(false)
    await createFill().fill()
    expect(await rollup.isFilled()).toBe(true)
    expect((await readSessions(stores.clickHouse)).rolledUp).not.toEqual([])
    await expectEqual()
  })
})
