import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import { AppendSignal, createIngestionFeature } from "../../../../src/features/ingestion/index.js"
import type { ClickHouse, Insert } from "../../../../src/platform/clickhouse/click-house.js"
import { createIds } from "../../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { switchedOnGeoIp } from "../../../support/geo-ip-plugin.js"
import { createManualClock } from "../../../support/manual-clock.js"
import { waitFor } from "../../../support/wait-for.js"
import { type RealStores, startRealStores } from "../real-stores.js"
import { Journey, NO_RECORDINGS, NOW_MS, SHARDS, sent } from "./journey.js"

const DAY_MS = 86_400_000

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

const LONG_AGO = new Date(NOW_MS - 9 * DAY_MS)

/** The shard whose owner also does the chores. */
function journeyOfFirstShard(): Journey {
  const journey = new Journey(stores)
  return journey.shard === 0 ? journey : journeyOfFirstShard()
}

async function rememberLongAgo({ projectId }: Journey): Promise<void> {
  const values = [projectId, crypto.randomUUID(), LONG_AGO]
  await stores.pool.query("INSERT INTO event_uuid (project_id, uuid, seen_on) VALUES ($1, $2, $3)", values)
}

async function isRememberedLongAgo({ projectId }: Journey): Promise<boolean> {
  const values = [projectId, LONG_AGO]
  const { rowCount } = await stores.pool.query("SELECT FROM event_uuid WHERE project_id = $1 AND seen_on = $2", values)
  return rowCount === 1
}

async function isLogged({ projectId }: Journey): Promise<boolean> {
  const { rowCount } = await stores.pool.query("SELECT FROM ingest_log WHERE project_id = $1", [projectId])
  return rowCount !== 0
}

/** One process with the role `ingest`, and what it inserted. */
function startIngestion(
  insertEvents: (pass: () => Promise<void>) => Promise<void> = (pass) => pass(),
  shardCount = SHARDS,
) {
  const inserted: Insert[] = []
  const clickHouse = Object.assign(Object.create(stores.clickHouse) as ClickHouse, {
    insert: (given: Insert) => {
      inserted.push(given)
      const pass = () => stores.clickHouse.insert(given)
      return given.table === "events" ? insertEvents(pass) : pass()
    },
  })
  const clock = createManualClock(NOW_MS)
  const signal = new AppendSignal()
  const feature = createIngestionFeature({
    database: { pool: stores.pool, ownerPool: stores.pool },
    deletions: { applyPending: async () => undefined },
    deadLetterDays: 30,
    shardCount,
    clickHouse,
    clock,
    ids: createIds(),
    logger: silentLogger,
    geoIp: null,
    geoIpPlugin: switchedOnGeoIp,
    signal,
    crashPoints: null,
    mergeListeners: [],
    snapshots: NO_RECORDINGS,
    announceStored: () => undefined,
  })
  feature.loop.start()
  return { ...feature, inserted, clock, signal }
}

describe("ingestion", () => {
  let running: ReturnType<typeof startIngestion>[] = []
  beforeEach(() => {
    running = []
  })
  afterEach(() => Promise.all(running.map(({ loop }) => loop.stop())))
  const start = (...given: Parameters<typeof startIngestion>) => {
    const process = startIngestion(...given)
    running.push(process)
    return process
  }
  const stored = (journey: Journey, count: number) =>
    waitFor(`${count} events`, async () => (await journey.events()).length === count)

  test("stores what is appended while it runs, and says how far behind it is", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("$pageview", "user"), sent("$pageview", "user"))
    const { lag, clock, signal } = start()
    clock.advance(5_000)
    await stored(journey, 2)
    await journey.append(sent("$pageview", "user"))
    signal.appended(new Set([journey.projectId]))
    await stored(journey, 3)
    await waitFor("the lag to be none", async () => {
      clock.advance(2_000)
      const { accepted, stored: done, oldestUnstoredSeconds, shardsWithoutOwner } = await lag.read()
      return accepted === 3 && done === 3 && oldestUnstoredSeconds === 0 && shardsWithoutOwner === 0
    })
  })

  test("counts what waits and its age while no one works on it", async () => {
    const journey = new Journey(stores)
    const { lag, loop, clock } = startIngestion()
    await loop.stop()
    const before = await lag.read()
    await journey.append(sent("$pageview", "user"))
    clock.advance(30_000)
    expect(await lag.read()).toEqual({
      accepted: before.accepted + 1,
      stored: before.stored,
      oldestUnstoredSeconds: 30,
      shardCount: 4,
      shardsWithoutOwner: 4,
      measuredAt: new Date(clock.now()),
    })
    clock.advance(-3_600_000)
    expect((await lag.read()).oldestUnstoredSeconds).toBeGreaterThanOrEqual(0)
  })

  const parts = (...processes: ReturnType<typeof startIngestion>[]) =>
    processes.map(({ loop }) => loop.ownedShards).toSorted((a, b) => a - b)
  const settled = (expected: readonly number[], ...processes: ReturnType<typeof startIngestion>[]) =>
    waitFor(`parts of ${expected}`, () => String(parts(...processes)) === String(expected))

  test("is shared by processes as they come and go, and each event is stored once", async () => {
    const journeys = Array.from({ length: 8 }, () => new Journey(stores))
    const storedInAll = async (count: number): Promise<void> => {
      for (const journey of journeys) await journey.append(sent("$pageview", "user"))
      for (const journey of journeys) await stored(journey, count)
    }
    const first = start()
    await settled([4], first)
    await storedInAll(1)
    const [second, third] = [start(), start()]
    await settled([1, 1, 2], first, second, third)
    await storedInAll(2)
    await second.loop.stop()
    await settled([0, 2, 2], first, second, third)
    await storedInAll(3)
    expect((await first.lag.read()).shardsWithoutOwner).toBe(0)
    expect(third.inserted.length).toBeGreaterThan(0)
  })

  test("has as many shards as are set, once no process with another number runs", async () => {
    const journeys = Array.from({ length: 8 }, () => new Journey(stores))
    const before = start()
    await settled([4], before)
    const waiting = start(undefined, 6)
    await settled([2, 2], before, waiting)
    await Promise.all([before.loop.stop(), waiting.loop.stop()])
    const after = start(undefined, 6)
    await settled([6], after)
    for (const journey of journeys) await journey.append(sent("$pageview", "user"))
    for (const journey of journeys) await stored(journey, 1)
    await after.loop.stop()
    await settled([4], start())
  })

  test("goes on after its connections were cut, and stores each event once", async () => {
    const journey = new Journey(stores)
    start()
    for (let round = 0; round < 5; round++) {
      await journey.append(sent("$pageview", "user"), sent("$pageview", "other"))
      await stores.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()`,
      )
    }
    await stored(journey, 10)
  })

  test("forgets old uuids also while its log is never empty", async () => {
    const journey = journeyOfFirstShard()
    await rememberLongAgo(journey)
    let isOver = false
    await journey.append(sent("$pageview", "user"))
    start(async (pass) => {
      if (!isOver) await journey.append(sent("$pageview", "user"))
      await pass()
    })
    await waitFor("the old uuid to be forgotten", async () => !(await isRememberedLongAgo(journey)))
    isOver = true
    await waitFor("the rest to be stored", async () => !(await isLogged(journey)))
  })

  test("stores events while old uuids cannot be forgotten", async () => {
    const journey = journeyOfFirstShard()
    await rememberLongAgo(journey)
    await stores.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
      CREATE TRIGGER refusal BEFORE DELETE ON event_uuid EXECUTE FUNCTION refuse()`)
    try {
      start()
      await journey.append(sent("$pageview", "user"))
      await stored(journey, 1)
    } finally {
      await stores.pool.query("DROP TRIGGER refusal ON event_uuid; DROP FUNCTION refuse")
    }
  })

  test("waits for ClickHouse to come back", async () => {
    const journey = new Journey(stores)
    let refusals = 0
    start((pass) => {
      refusals += 1
      return refusals <= 3 ? Promise.reject(new Error("connect ECONNREFUSED")) : pass()
    })
    await journey.append(sent("$pageview", "user"))
    await stored(journey, 1)
    expect(refusals).toBe(4)
  })
})
