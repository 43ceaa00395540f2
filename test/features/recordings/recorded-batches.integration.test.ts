import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createRecordingDeletions } from "../../../src/features/recordings/recording-deletions.store.js"
import { createSnapshotSink, type SnapshotSink } from "../../../src/features/recordings/snapshot-sink.js"
import { AppError } from "../../../src/kernel/errors.js"
import type { Json } from "../../../src/kernel/json.js"
import { type ClickHouse, EngineError, type Insert } from "../../../src/platform/clickhouse/click-house.js"
import { Crash, Journey, NOW_MS, type SentEvent, sent } from "../ingestion/batches/journey.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"

let stores: RealStores
let snapshots: SnapshotSink
beforeAll(async () => {
  stores = await startRealStores()
  // Kept long, because journeys lie in the past of the engine's own clock, by which it forgets.
  const projects = { get: async () => ({ settings: { session_recording_retention_days: 3650 } }) }
  snapshots = createSnapshotSink(projects, createRecordingDeletions(stores.clickHouse))
})
afterAll(() => stores.stop())

const click = (offsetMs: number, words: Json = ""): Json => ({
  type: 3,
  timestamp: NOW_MS + offsetMs,
  data: { source: 2, type: 2, words },
})
const recorded = (sessionId: string, items: Json[], some: Partial<SentEvent> = {}): SentEvent =>
  sent("$snapshot_items", "user", {
    properties: { $session_id: sessionId, $window_id: "w", $snapshot_items: items },
    ...some,
  })

interface Block {
  readonly session: string
  readonly clicks: number
  readonly messages: number
}

const blocksOf = ({ projectId }: Journey): Promise<Block[]> =>
  stores.clickHouse.rows({
    sql: `SELECT session_id AS session, click_count AS clicks, message_count AS messages FROM session_replay_events
          WHERE project_id = {project:Int64} ORDER BY session, first_timestamp`,
    parameters: { project: projectId },
  })
const linesOf = async ({ projectId }: Journey): Promise<number> =>
  (
    await stores.clickHouse.rows<{ lines: string }>({
      sql: "SELECT lines FROM session_snapshots WHERE project_id = {project:Int64}",
      parameters: { project: projectId },
    })
  ).flatMap(({ lines }) => lines.split("\n")).length

/** ClickHouse whose inserts pass through `insert`. */
const withInsert = (insert: (given: Insert) => Promise<void>): ClickHouse =>
  Object.assign(Object.create(stores.clickHouse) as ClickHouse, { insert })

describe("a batch with snapshots", () => {
  test("becomes recordings and events, each where they belong", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("$pageview", "user"), recorded("s-1", [click(0), click(1)]), recorded("s-2", [click(5)]))
    await journey.append(recorded("s-1", [click(2)]))
    expect(await journey.work({ snapshots })).toEqual({ stored: 4, dropped: 0 })
    expect(await journey.events()).toMatchObject([{ event: "$pageview" }])
    expect(await blocksOf(journey)).toEqual([
      { session: "s-1", clicks: 3, messages: 2 },
      { session: "s-2", clicks: 1, messages: 1 },
    ])
    expect(await linesOf(journey)).toBe(4)
    expect(await journey.count("event_definition WHERE project_id = $1 AND name = '$snapshot_items'")).toBe(0)
  })

  test("of nothing else makes no person and no event", async () => {
    const journey = new Journey(stores)
    await journey.append(recorded("s", [click(0)]))
    expect(await journey.work({ snapshots })).toEqual({ stored: 1, dropped: 0 })
    expect(await journey.storedPersons()).toEqual([])
    expect(await journey.events()).toEqual([])
  })

  test("is stored once when it is worked on twice or its requests are sent again", async () => {
    const journey = new Journey(stores)
    const one = recorded("s", [click(0)])
    await journey.append(one, recorded("s", [click(1)]))
    const crashing = journey.work({
      snapshots,
      wrap: (log) => ({
        ...log,
        transaction: (work) =>
          log.transaction(async (transaction) => {
            await work(transaction)
            throw new Crash()
          }),
      }),
    })
    await expect(crashing).rejects.toThrow()
    expect(await journey.work({ snapshots })).toEqual({ stored: 2, dropped: 0 })
    await journey.append(one)
    expect(await journey.work({ snapshots })).toEqual({ stored: 0, dropped: 1 })
    expect(await blocksOf(journey)).toEqual([{ session: "s", clicks: 2, messages: 2 }])
    expect(await linesOf(journey)).toBe(2)
  })

  test("waits for an engine that is away, and loses nothing", async () => {
    const journey = new Journey(stores)
    await journey.append(recorded("s", [click(0)]))
    const clickHouse = withInsert(async () => {
      throw new AppError("store_unavailable")
    })
    await expect(journey.work({ snapshots, clickHouse })).rejects.toThrow(AppError)
    expect(await journey.work({ snapshots })).toEqual({ stored: 1, dropped: 0 })
    expect(await blocksOf(journey)).toHaveLength(1)
  })

  test("tells the project which messages cannot be played and why", async () => {
    const journey = new Journey(stores)
    await journey.append(
      recorded("s", [{ type: 3 }]),
      recorded("s", [click(-8 * 86_400_000)]),
      recorded("s", [click(0)]),
    )
    expect(await journey.work({ snapshots })).toEqual({ stored: 1, dropped: 2 })
    for (const reason of ["message_contained_no_valid_rrweb_events", "message_timestamp_diff_too_large"])
      expect(await journey.count(`ingestion_warning WHERE project_id = $1 AND reason = '${reason}'`)).toBe(1)
    expect(await blocksOf(journey)).toEqual([{ session: "s", clicks: 1, messages: 1 }])
  })

  test("keeps every message of a row that the engine refuses as a dead letter", async () => {
    const journey = new Journey(stores)
    await journey.append(
      recorded("bad", [click(0, "refused")]),
      recorded("good", [click(0)]),
      recorded("bad", [click(1)]),
    )
    const clickHouse = withInsert(async (given) => {
      if (
        "rows" in given &&
        given.table === "session_snapshots" &&
        given.rows.some((row) => String(row).includes("refused"))
      )
        throw new EngineError(27, "CANNOT_PARSE_INPUT_ASSERTION_FAILED", "cannot parse")
      await stores.clickHouse.insert(given)
    })
    expect(await journey.work({ snapshots, clickHouse })).toEqual({ stored: 1, dropped: 2 })
    expect(await journey.count("ingest_dead_letter WHERE project_id = $1")).toBe(2)
    expect(await linesOf(journey)).toBe(1)
    expect(await blocksOf(journey)).toEqual([{ session: "good", clicks: 1, messages: 1 }])
  })

  test("puts a message aside that cannot be processed, and keeps its neighbours", async () => {
    const journey = new Journey(stores)
    const failing: SnapshotSink = {
      prepare: (messages, batch) => {
        if (messages.some(({ properties }) => properties.$session_id === "bad")) throw new RangeError("too deep")
        return snapshots.prepare(messages, batch)
      },
    }
    await journey.append(recorded("a", [click(0)]), recorded("bad", [click(0)]), sent("$pageview", "user"))
    expect(await journey.work({ snapshots: failing })).toEqual({ stored: 2, dropped: 1 })
    expect(await blocksOf(journey)).toEqual([{ session: "a", clicks: 1, messages: 1 }])
    expect(await journey.count("ingest_dead_letter WHERE project_id = $1 AND reason = 'too deep'")).toBe(1)
  })
})
