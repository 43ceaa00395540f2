import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { PoolClient } from "pg"
import { forgetOldUuids } from "../../../../src/features/ingestion/batches/event-uuid.store.js"
import {
  DeadLetterStore,
  forgetOldDeadLetters,
} from "../../../../src/features/ingestion/dead-letters/dead-letter.store.js"
import type { ClickHouse, Insert } from "../../../../src/platform/clickhouse/click-house.js"
import { EngineError } from "../../../../src/platform/clickhouse/click-house.js"
import { Crash, Journey, NOW_MS, type SentEvent, sent } from "../batches/journey.js"
import { type RealStores, startRealStores } from "../real-stores.js"

const DAY_MS = 86_400_000

let stores: RealStores
let letters: DeadLetterStore
beforeAll(async () => {
  stores = await startRealStores()
  letters = new DeadLetterStore(stores.pool, { now: () => NOW_MS })
})
afterAll(() => stores.stop())

const holdsPoison = (given: Insert): boolean =>
  ("rows" in given ? given.rows.map(String) : given.blocks.flatMap((block) => String(block).split("\n"))).some((row) =>
    row.includes("\tpoison\t"),
  )

/** ClickHouse that refuses rows of the event `poison`, as a server with another schema may. */
const refusing = (): ClickHouse =>
  Object.assign(Object.create(stores.clickHouse) as ClickHouse, {
    insert: (given: Insert) =>
      holdsPoison(given)
        ? Promise.reject(new EngineError(6, "CANNOT_PARSE_TEXT", "cannot parse a row"))
        : stores.clickHouse.insert(given),
  })

/** A project whose `poison` has become a dead letter. */
async function withLetter(event: SentEvent = sent("poison", "user", { properties: { $set: { a: 1 } } })) {
  const journey = new Journey(stores)
  await journey.append(event)
  expect(await journey.work({ clickHouse: refusing() })).toEqual({ stored: 0, dropped: 1 })
  const [letter] = await letters.list(journey.projectId, null, 10)
  if (letter === undefined) throw new Error("there is no dead letter")
  return { journey, event, letter }
}

const names = async (journey: Journey): Promise<string[]> => (await journey.events()).map(({ event }) => event)

async function inClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await stores.pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

describe("a dead letter", () => {
  test("tells its project what could not be stored, and why", async () => {
    const { journey, event, letter } = await withLetter()
    expect(letter).toEqual({
      id: expect.stringMatching(/^\d+$/),
      reason: "refused_by_store",
      detail: "cannot parse a row",
      event: "poison",
      receivedAt: new Date(NOW_MS),
      failedAt: expect.any(Date),
      byteCount: expect.any(Number),
      canRetry: true,
    })
    const text = await letters.findText(journey.projectId, letter.id)
    expect(JSON.parse(text ?? "")).toMatchObject({ uuid: event.uuid, event: "poison", distinctId: "user" })
    expect(letter.byteCount).toBe(Buffer.byteLength(text ?? ""))
  })

  test("is nobody else's to see, to retry or to remove", async () => {
    const { journey, letter } = await withLetter()
    const other = new Journey(stores).projectId
    expect(await letters.list(other, null, 10)).toEqual([])
    expect(await letters.findText(other, letter.id)).toBeNull()
    expect(await letters.retry(other, [letter.id])).toEqual([])
    expect(await letters.remove(other, [letter.id])).toEqual([])
    expect(await letters.list(journey.projectId, null, 10)).toEqual([letter])
  })

  test("is listed newest first, from any other on", async () => {
    const journey = new Journey(stores)
    for (const name of ["a", "b", "c"]) await journey.appendText(JSON.stringify([{ event: name }]), 1)
    await journey.work()
    const all = await letters.list(journey.projectId, null, 10)
    expect(all.map(({ event, reason }) => [event, reason])).toEqual([
      ["c", "not_an_event"],
      ["b", "not_an_event"],
      ["a", "not_an_event"],
    ])
    const [newest, ...older] = all
    expect(await letters.list(journey.projectId, newest?.id ?? null, 1)).toEqual(older.slice(0, 1))
  })

  test("is counted by reason", async () => {
    const before = (await letters.count()).get("refused_by_store") ?? 0
    const { journey, letter } = await withLetter()
    expect((await letters.count()).get("refused_by_store")).toBe(before + 1)
    expect(await letters.remove(journey.projectId, [letter.id, "999999999"])).toEqual([letter.id])
    expect((await letters.count()).get("refused_by_store")).toBe(before)
  })

  test("goes when it is older than the days it is kept", async () => {
    const { journey } = await withLetter()
    await stores.pool.query("UPDATE ingest_dead_letter SET created_at = $2 WHERE project_id = $1", [
      journey.projectId,
      new Date(NOW_MS),
    ])
    await inClient(async (client) => {
      await forgetOldDeadLetters(client, NOW_MS + 29 * DAY_MS, 30)
      expect(await journey.count("ingest_dead_letter WHERE project_id = $1")).toBe(1)
      await forgetOldDeadLetters(client, NOW_MS + 31 * DAY_MS, 30)
      expect(await journey.count("ingest_dead_letter WHERE project_id = $1")).toBe(0)
    })
  })
})

describe("a dead letter that is retried", () => {
  test("is stored once, as it would have been, with its address, its time and its person", async () => {
    const { journey, event, letter } = await withLetter()
    expect(await letters.retry(journey.projectId, [letter.id])).toEqual([letter.id])
    expect(await journey.count("ingest_dead_letter WHERE project_id = $1")).toBe(0)
    expect(await journey.work()).toEqual({ stored: 1, dropped: 0 })
    const [row] = await stores.clickHouse.rows({
      sql: `SELECT toString(uuid) AS uuid, JSONExtractString(properties, '$ip') AS ip, toString(timestamp) AS time,
              toString(created_at) AS created, JSONExtractInt(person_properties, 'a') AS a
            FROM events WHERE project_id = {project:Int64}`,
      parameters: { project: journey.projectId },
    })
    const time = "2025-06-01 12:00:00.000000"
    expect(row).toEqual({
      uuid: event.uuid,
      ip: "203.0.113.7",
      time,
      created: expect.stringContaining("2025-06-01"),
      a: 1,
    })
    expect(await journey.persons()).toEqual(await journey.storedPersons())
  })

  test("is stored once, although its client sends it again before, beside and after it", async () => {
    const { journey, event, letter } = await withLetter()
    await journey.append(event)
    expect(await journey.work()).toEqual({ stored: 0, dropped: 1 })
    await journey.append(event)
    await letters.retry(journey.projectId, [letter.id])
    await journey.append(event)
    expect(await journey.work()).toEqual({ stored: 1, dropped: 2 })
    await journey.append(event)
    expect(await journey.work()).toEqual({ stored: 0, dropped: 1 })
    expect(await names(journey)).toEqual(["poison"])
  })

  test("is stored once, when it is retried while a batch with a repetition of it is not finished", async () => {
    const { journey, event, letter } = await withLetter()
    await journey.append(event, sent("fine", "user"))
    const dying = journey.work({
      wrap: (log) => ({
        ...log,
        transaction: (work) =>
          log.transaction((transaction) => work({ ...transaction, finish: () => Promise.reject(new Crash()) })),
      }),
    })
    await expect(dying).rejects.toThrow()
    await letters.retry(journey.projectId, [letter.id])
    expect(await journey.work()).toEqual({ stored: 1, dropped: 1 })
    expect(await journey.work()).toEqual({ stored: 1, dropped: 0 })
    expect((await names(journey)).sort()).toEqual(["fine", "poison"])
  })

  test("is stored once, when it is retried by several at a time", async () => {
    const { journey, letter } = await withLetter()
    const answers = await Promise.all(Array.from({ length: 5 }, () => letters.retry(journey.projectId, [letter.id])))
    expect(answers.flat()).toEqual([letter.id])
    expect(await journey.work()).toEqual({ stored: 1, dropped: 0 })
    expect(await names(journey)).toEqual(["poison"])
  })

  test("becomes a dead letter again when it still cannot be stored, and can be retried again", async () => {
    const { journey, letter } = await withLetter()
    await letters.retry(journey.projectId, [letter.id])
    expect(await journey.work({ clickHouse: refusing() })).toEqual({ stored: 0, dropped: 1 })
    const [again] = await letters.list(journey.projectId, null, 10)
    expect(again).toMatchObject({ reason: "refused_by_store", receivedAt: letter.receivedAt })
    await letters.retry(journey.projectId, [again?.id ?? ""])
    expect(await journey.work()).toEqual({ stored: 1, dropped: 0 })
  })

  test("keeps its uuid noted for as long as it is kept, and for the window after it was retried", async () => {
    const { journey, event, letter } = await withLetter()
    await inClient((client) => forgetOldUuids(client, NOW_MS + 20 * DAY_MS))
    await journey.append(event)
    expect(await journey.work()).toEqual({ stored: 0, dropped: 1 })
    const later = new DeadLetterStore(stores.pool, { now: () => NOW_MS + 20 * DAY_MS })
    await later.retry(journey.projectId, [letter.id])
    await inClient((client) => forgetOldUuids(client, NOW_MS + 21 * DAY_MS))
    await journey.append(event)
    expect(await journey.work()).toEqual({ stored: 1, dropped: 1 })
    expect(await names(journey)).toEqual(["poison"])
  })

  test("is left to a deletion of events under way, which may remove it", async () => {
    const { journey, letter } = await withLetter()
    const askFor = (at: number, deletesEvents: boolean) =>
      stores.pool.query(
        `INSERT INTO person_deletion (project_id, person_id, version, distinct_ids, delete_events, delete_recordings, requested_at)
         VALUES ($1, gen_random_uuid(), 1, '[]', $2, false, $3)`,
        [journey.projectId, deletesEvents, new Date(at)],
      )
    await askFor(NOW_MS + 1, false)
    await askFor(NOW_MS - 1, true)
    await askFor(NOW_MS + 1, true)
    expect(await letters.retry(journey.projectId, [letter.id])).toEqual([])
    await stores.pool.query("DELETE FROM person_deletion WHERE requested_at = $1 AND delete_events", [
      new Date(NOW_MS + 1),
    ])
    expect(await letters.retry(journey.projectId, [letter.id])).toEqual([letter.id])
    await stores.pool.query("DELETE FROM person_deletion WHERE project_id = $1", [journey.projectId])
  })

  test("is no longer counted as dropped while it waits", async () => {
    const { journey, letter } = await withLetter()
    const dropped = async () => {
      const sql = "SELECT sum(dropped)::int AS dropped FROM ingest_progress"
      return (await stores.pool.query<{ dropped: number }>(sql)).rows[0]?.dropped ?? 0
    }
    const before = await dropped()
    await letters.retry(journey.projectId, [letter.id])
    expect(await dropped()).toBe(before - 1)
    expect(await journey.count("ingest_log WHERE project_id = $1")).toBe(1)
    await journey.work()
    expect(await dropped()).toBe(before - 1)
  })

  test("that was never an event goes by its uuid like any other", async () => {
    const journey = new Journey(stores)
    const event = sent("fine", "user")
    await journey.append(event)
    await journey.work()
    await journey.appendText(JSON.stringify([{ ...event, properties: null }]), 1)
    await journey.work()
    await stores.pool.query(
      `UPDATE ingest_dead_letter SET event = jsonb_set(event::jsonb, '{properties}', '{}')::text WHERE project_id = $1`,
      [journey.projectId],
    )
    const [letter] = await letters.list(journey.projectId, null, 1)
    await letters.retry(journey.projectId, [letter?.id ?? ""])
    expect(await journey.work()).toEqual({ stored: 0, dropped: 1 })
    expect(await names(journey)).toEqual(["fine"])
  })

  test("that was a request nobody could read comes back as that request", async () => {
    const journey = new Journey(stores)
    await journey.appendText("[{", 1)
    await journey.work()
    const [letter] = await letters.list(journey.projectId, null, 1)
    expect(letter).toMatchObject({ reason: "unreadable_request", event: null, canRetry: true })
    await stores.pool.query("UPDATE ingest_dead_letter SET event = $2 WHERE project_id = $1", [
      journey.projectId,
      JSON.stringify([sent("a", "user"), sent("b", "user")]),
    ])
    await letters.retry(journey.projectId, [letter?.id ?? ""])
    expect(await journey.work()).toEqual({ stored: 2, dropped: 0 })
  })

  test("is left alone when it is a row that could not be unpacked", async () => {
    const journey = new Journey(stores)
    await stores.pool.query(
      `INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests) VALUES ($1, now(), 1, 4, 'oops')`,
      [journey.projectId],
    )
    await journey.work()
    const [letter] = await letters.list(journey.projectId, null, 1)
    expect(letter).toMatchObject({ reason: "unreadable_row", canRetry: false })
    expect(await letters.retry(journey.projectId, [letter?.id ?? ""])).toEqual([])
    expect(await letters.list(journey.projectId, null, 10)).toEqual([letter])
  })
})
