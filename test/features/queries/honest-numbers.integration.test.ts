import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { ClickHouseSink } from "../../../src/features/ingestion/rows/click-house-sink.store.js"
import { toPersonRows } from "../../../src/features/ingestion/rows/person-rows.js"
import type { ProjectChanges } from "../../../src/features/persons/index.js"
import { asPersonId } from "../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import type { Insert } from "../../../src/platform/clickhouse/click-house.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { PROJECT, type QueriesApp, type QueriesProcess, startQueriesApp } from "./queries-app.js"

const ANON = asPersonId("0190d000-0000-7000-8000-00000000000a")
const USER = asPersonId("0190d000-0000-7000-8000-00000000000b")
const DAYS = ["2024-03-01", "2024-03-02", "2024-03-03"]
const dateRange = { date_from: "2024-03-01", date_to: "2024-03-03" }
const series = [
  { kind: "EventsNode", event: "landed" },
  { kind: "EventsNode", event: "bought" },
]

let app: QueriesApp
let queries: QueriesProcess
let stored = 0

beforeAll(async () => {
  app = await startQueriesApp()
  queries = app.process()
  await write(
    changes({
      persons: [person(ANON, { source: "ad" }, 0), person(USER, { plan: "pro" }, 0)],
      distinctIds: [
        { distinctId: "anon", personId: ANON, version: 0 },
        { distinctId: "user", personId: USER, version: 0 },
      ],
    }),
  )
  await events(["landed", "anon", ANON, DAYS[0]], ["landed", "anon", ANON, DAYS[1]], ["bought", "user", USER, DAYS[1]])
})
afterAll(async () => {
  queries.service.stop()
  await app.stop()
})

const person = (id: typeof ANON, properties: JsonObject, version: number, isDeleted = false) => ({
  id,
  properties,
  version,
  isDeleted,
  isIdentified: id === USER,
  createdAtMs: Date.UTC(2024, 0, 1),
  propertiesJson: JSON.stringify(properties),
})

const changes = (some: Pick<ProjectChanges, "persons" | "distinctIds">): ProjectChanges =>
  ({ projectId: PROJECT, personlessDistinctIds: [], groupTypes: [], groups: [], merges: [], ...some }) as ProjectChanges

/** Stores changes as ingestion does, and looks after each of its inserts. */
async function write(change: ProjectChanges, look: () => Promise<void> = async () => undefined): Promise<void> {
  const insert = async (rows: Insert): Promise<void> => {
    await app.clickHouse.insert(rows)
    await look()
  }
  await new ClickHouseSink({ insert }, silentLogger).write(`batch ${stored++}`, toPersonRows([change]), [])
}

async function events(...rows: [event: string, distinctId: string, personId: string, day: string | undefined][]) {
  await app.clickHouse.insert({
    table: "events",
    rows: rows.map(([event, distinct_id, person_id, day]) => ({
      project_id: PROJECT,
      event,
      distinct_id,
      person_id,
      person_mode: "full",
      properties: "{}",
      uuid: `0190d001-0000-7000-8000-${String(stored++).padStart(12, "0")}`,
      timestamp: `${day} 12:00:00.000000`,
      created_at: `${day} 12:00:00.000000`,
    })),
  })
}

const run = async (query: Record<string, Json> & { kind: string }): Promise<JsonObject> =>
  queries.service.run(PROJECT, { query, clientQueryId: null, refresh: "force_blocking" })
const rows = async (query: string) => (await run({ kind: "HogQLQuery", query })).results
const personsOf = async () => rows("SELECT count(), uniq(person_id), countIf(person.id != person_id) FROM events")

/** The tests tell one story, in order. */
describe("numbers of persons", () => {
  test("show a merge whole or not at all, whichever insert a query comes after", async () => {
    const seen: unknown[] = []
    await write(
      changes({
        persons: [person(ANON, {}, 1, true), person(USER, { plan: "pro", source: "ad" }, 1)],
        distinctIds: [{ distinctId: "anon", personId: USER, version: 1 }],
      }),
      async () => void seen.push(...((await personsOf()) as unknown[])),
    )
    const [before, after] = [
      [3, 2, 0],
      [3, 1, 0],
    ]
    expect(seen.length).toBeGreaterThan(2)
    expect(seen).toEqual(
      seen.map((_, index) => (index < seen.findIndex((row) => String(row) === String(after)) ? before : after)),
    )
    expect(seen.at(-1)).toEqual(after)
  })

  test("count who came under two ids once, in every insight", async () => {
    const dau = await run({ kind: "TrendsQuery", dateRange, series: [{ kind: "EventsNode", math: "dau" }] })
    expect(dau.results).toMatchObject([{ data: [1, 1, 0] }])
    const funnel = await run({ kind: "FunnelsQuery", dateRange, series })
    expect(funnel.results).toMatchObject([{ count: 1 }, { count: 1 }])
    const source = {
      kind: "InsightActorsQuery",
      source: { kind: "TrendsQuery", dateRange, series: [{ kind: "EventsNode" }] },
    }
    expect(
      await run({ kind: "ActorsQuery", select: ["id", "event_count", "properties.source"], source }),
    ).toMatchObject({
      results: [[USER, 3, "ad"]],
      missing_actors_count: 0,
    })
  })

  test("give a late event of the old id to its day and to the person that is left", async () => {
    await events(["landed", "anon", ANON, DAYS[2]], ["landed", "anon", ANON, DAYS[0]])
    expect(await rows("SELECT count(), uniq(person_id), any(person.properties.plan) FROM events")).toEqual([
      [5, 1, "pro"],
    ])
    const trend = await run({ kind: "TrendsQuery", dateRange, series: series.slice(0, 1) })
    expect(trend.results).toMatchObject([{ data: [2, 1, 1], count: 4 }])
    const kept = await run({
      kind: "RetentionQuery",
      dateRange: { date_to: "2024-03-03" },
      retentionFilter: {
        period: "Day",
        totalIntervals: 3,
        targetEntity: { id: "landed" },
        returningEntity: { id: "landed" },
      },
    })
    expect(kept.results).toMatchObject([{ values: [{ count: 1 }, { count: 1 }, { count: 1 }] }, {}, {}])
  })

  test("leave a deleted person out of the persons, and say that the events have one that is gone", async () => {
    await write(
      changes({
        persons: [person(USER, {}, 2, true)],
        distinctIds: [
          { distinctId: "anon", personId: null, version: 2 },
          { distinctId: "user", personId: null, version: 1 },
        ],
      }),
    )
    expect(await rows("SELECT count() FROM persons")).toEqual([[0]])
    expect(await rows("SELECT count(), countIf(person.properties.plan IS NOT NULL) FROM events")).toEqual([[5, 0]])
    const source = { kind: "InsightActorsQuery", source: { kind: "TrendsQuery", dateRange, series } }
    expect(await run({ kind: "ActorsQuery", select: ["id"], source })).toMatchObject({
      results: [],
      missing_actors_count: 1,
    })
  })
})
