import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { BatchLog } from "../../../src/features/ingestion/batches/batch.types.js"
import { Crash, sent } from "../ingestion/batches/journey.js"
import {
  type Changed,
  createTestExports,
  type ExportStores,
  HOUR_MS,
  journeyOfProject,
  linesOf,
  startExportStores,
  type TestExports,
} from "./export-app.js"

let stores: ExportStores
const made: TestExports[] = []
const createExports = (changed: Changed = {}): TestExports => {
  const exports = createTestExports(stores, changed)
  made.push(exports)
  return exports
}
beforeAll(async () => {
  stores = await startExportStores()
})
afterAll(async () => {
  for (const { folder } of made) folder.remove()
  await stores.stop()
})

/** Names of the events in all files of lines, in the order of files and lines. */
const eventsIn = (files: ReadonlyMap<string, string>): unknown[] =>
  [...files].filter(([path]) => path.endsWith(".jsonl")).flatMap(([, text]) => linesOf(text).map(({ event }) => event))

describe("an export of events into a folder", () => {
  test("writes each interval once it is over, with a manifest, and each event in one of them", async () => {
    const journey = await journeyOfProject(stores)
    await journey.append(sent("before", "ada"))
    await journey.work()
    const exports = createExports()
    const { id } = await exports.create(journey.projectId, { format: "jsonl", target: { folder: { prefix: "a/b" } } })
    await journey.append(sent("first", "ada", { properties: { n: 1 } }), sent("first", "bob"))
    await journey.work()
    await exports.work.workOnDue()
    expect(await exports.runs(journey.projectId, id)).toEqual([])

    exports.clock.advance(HOUR_MS)
    await exports.work.workOnDue()
    await exports.work.workOnDue()
    const from = new Date(exports.clock.now() - HOUR_MS - 60_000).toISOString()
    const to = new Date(exports.clock.now() - 60_000).toISOString()
    const times = [from, to].map((time) => `${time.slice(0, 19).replaceAll(":", "-")}Z`).join("--")
    const files = exports.filesOf(journey.projectId, id)
    expect([...files.keys()]).toEqual([`a/b/events/${times}-0000.jsonl`, `a/b/events/${times}-manifest.json`])
    expect(linesOf(files.get(`a/b/events/${times}-0000.jsonl`))).toMatchObject([
      { event: "first", distinct_id: "ada", properties: { n: 1 }, team_id: journey.projectId },
      { event: "first", distinct_id: "bob" },
    ])
    const text = files.get(`a/b/events/${times}-0000.jsonl`) ?? ""
    const file = { name: `${times}-0000.jsonl`, rows: 2, bytes: Buffer.byteLength(text) }
    expect(JSON.parse(files.get(`a/b/events/${times}-manifest.json`) ?? "")).toEqual({
      version: 1,
      project: journey.projectId,
      content: "events",
      format: "jsonl",
      from,
      to,
      files: [file],
    })
    expect(await exports.runs(journey.projectId, id)).toMatchObject([
      { status: "completed", files: [file], attempts: 1, error: null, finishedAt: expect.any(Date) },
    ])

    // Late by its own time, so it is in a later file.
    await journey.append(sent("late", "ada", { timestamp: "2025-01-01T00:00:00.000Z" }))
    await journey.work()
    exports.clock.advance(HOUR_MS)
    await exports.work.workOnDue()
    expect(eventsIn(exports.filesOf(journey.projectId, id))).toEqual(["first", "first", "late"])
  })
})

describe("an interval of events", () => {
  test("waits for the batch that was begun when it ended", async () => {
    const journey = await journeyOfProject(stores)
    const exports = createExports()
    const { id } = await exports.create(journey.projectId, { format: "jsonl" })
    await journey.append(sent("slow", "ada"))
    const dying = (log: BatchLog): BatchLog => ({
      ...log,
      transaction: (work) =>
        log.transaction((transaction) => work({ ...transaction, finish: () => Promise.reject(new Crash()) })),
    })
    await expect(journey.work({ wrap: dying })).rejects.toMatchObject({ cause: expect.any(Crash) })
    exports.clock.advance(HOUR_MS)
    await exports.work.workOnDue()
    expect(await exports.runs(journey.projectId, id)).toMatchObject([{ status: "running", files: [] }])

    await journey.work()
    exports.clock.advance(1_000)
    await exports.work.workOnDue()
    expect(eventsIn(exports.filesOf(journey.projectId, id))).toEqual(["slow"])
  })

  test("is cut into files of whole batches, the same ones when it is written again, in the order of storing", async () => {
    const journey = await journeyOfProject(stores)
    const exports = createExports()
    const { id } = await exports.create(journey.projectId, { format: "jsonl" })
    await journey.append(sent("first", "ada"))
    await journey.work()
    const { rows } = await stores.pool.query<{ last: number }>(
      "SELECT last_batch::float8 AS last FROM ingest_progress WHERE shard = $1",
      [journey.shard],
    )
    const first = (rows[0]?.last ?? 0) + 1
    await stores.clickHouse.command({
      sql: `INSERT INTO events (project_id, uuid, event, distinct_id, properties, elements_chain, timestamp, created_at,
              person_id, person_created_at, person_properties, person_mode, historical_migration, batch, batch_position)
            SELECT {project:Int64}, generateUUIDv4(), 'many', 'ada', '{}', '', now64(6), now64(6),
              generateUUIDv4(), now64(6), '{}', 'full', false, {first:UInt64} + intDiv(number, 40000), number
              FROM numbers(130000)`,
      parameters: { project: journey.projectId, first },
    })
    await stores.pool.query("SELECT setval('ingest_batch_number', $1)", [first + 10])
    await stores.pool.query("UPDATE ingest_progress SET last_batch = $2 WHERE shard = $1", [journey.shard, first + 10])
    exports.clock.advance(HOUR_MS)
    await exports.work.workOnDue()
    const [run] = await exports.runs(journey.projectId, id)
    expect(run?.files.map((file) => file.rows)).toEqual([80_001, 50_000])
    const before = exports.filesOf(journey.projectId, id)
    const places = eventsIn(before)
    expect([places.length, places[0]]).toEqual([130_001, "first"])

    // As after a kill before anything was kept but the cuts.
    await stores.pool.query(
      "UPDATE scheduled_export_run SET status = 'running', files = '[]', finished_at = NULL WHERE export_id = $1",
      [id],
    )
    await exports.work.workOnDue()
    const after = exports.filesOf(journey.projectId, id)
    expect([...after.keys()]).toEqual([...before.keys()])
    expect([...after.values()].map((text, index) => text === [...before.values()][index])).toEqual([true, true, true])
  })
})

describe("an export of persons and groups", () => {
  test("writes all of them as they are", async () => {
    const journey = await journeyOfProject(stores)
    const exports = createExports()
    const persons = await exports.create(journey.projectId, { content: "persons", format: "jsonl" })
    const groups = await exports.create(journey.projectId, { content: "groups", format: "jsonl" })
    await journey.append(
      sent("$set", "ada", { properties: { $set: { name: "Ada" } } }),
      sent("$groupidentify", "ada", {
        properties: { $group_type: "company", $group_key: "acme", $group_set: { size: 3 } },
      }),
    )
    await journey.work()
    exports.clock.advance(5 * HOUR_MS)
    await exports.work.workOnDue()
    const linesIn = (id: number) =>
      [...exports.filesOf(journey.projectId, id)].flatMap(([path, text]) =>
        path.endsWith(".jsonl") ? linesOf(text) : [],
      )
    expect(linesIn(persons.id)).toContainEqual(
      expect.objectContaining({ distinct_id: "ada", properties: expect.objectContaining({ name: "Ada" }) }),
    )
    expect(linesIn(groups.id)).toContainEqual(
      expect.objectContaining({ group_type: "company", group_key: "acme", group_properties: { size: 3 } }),
    )
    expect(await exports.runs(journey.projectId, persons.id)).toHaveLength(1)
  })
})

describe("an export", () => {
  test("ends its interval when somebody wants it to, and not while it is paused", async () => {
    const journey = await journeyOfProject(stores)
    const exports = createExports()
    const { id } = await exports.create(journey.projectId, { format: "jsonl", isPaused: true })
    const run = () => exports.service.runNow(journey.projectId, stores.userId, id)
    await expect(run()).rejects.toMatchObject({ code: "invalid_input" })
    await exports.service.update(journey.projectId, stores.userId, id, { isPaused: false })
    await run()
    await exports.work.workOnDue()
    const [cut] = await exports.runs(journey.projectId, id)
    expect(cut?.intervalTo.getTime()).toBe(exports.clock.now())
    exports.clock.advance(HOUR_MS)
    await exports.work.workOnDue()
    await exports.work.workOnDue()
    const [later] = await exports.runs(journey.projectId, id)
    expect([later?.intervalFrom, later?.intervalTo.getTime()]).toEqual([
      cut?.intervalTo,
      exports.clock.now() - (exports.clock.now() % HOUR_MS),
    ])
  })

  test("rests while it is paused, and makes up for what it missed", async () => {
    const journey = await journeyOfProject(stores)
    const exports = createExports()
    const { id } = await exports.create(journey.projectId, { format: "jsonl" })
    await exports.service.update(journey.projectId, stores.userId, id, { isPaused: true })
    await journey.append(sent("meanwhile", "ada"))
    await journey.work()
    exports.clock.advance(2 * HOUR_MS)
    await exports.work.workOnDue()
    expect(await exports.runs(journey.projectId, id)).toEqual([])
    await exports.service.update(journey.projectId, stores.userId, id, { isPaused: false })
    for (let turn = 0; turn < 3; turn++) await exports.work.workOnDue()
    expect(await exports.runs(journey.projectId, id)).toHaveLength(2)
    expect(eventsIn(exports.filesOf(journey.projectId, id))).toEqual(["meanwhile"])
  })

  test("is seen and changed in its own project alone, and there are at most 20", async () => {
    const [own, other] = [await journeyOfProject(stores), await journeyOfProject(stores)]
    const exports = createExports()
    const { id } = await exports.create(own.projectId)
    const { userId } = stores
    expect(await exports.service.findMany(other.projectId, [id])).toEqual([])
    const missing = { code: "not_found" }
    await expect(exports.service.update(other.projectId, userId, id, { name: "mine" })).rejects.toMatchObject(missing)
    await expect(exports.service.runNow(other.projectId, userId, id)).rejects.toMatchObject(missing)
    await expect(exports.service.remove(other.projectId, userId, id)).rejects.toMatchObject(missing)
    for (let count = 1; count < 20; count++) await exports.create(own.projectId)
    await expect(exports.create(own.projectId)).rejects.toMatchObject({ code: "invalid_input" })
  })

  test("is deleted with its runs, and with its project", async () => {
    const journey = await journeyOfProject(stores)
    const exports = createExports()
    const [first, second] = [await exports.create(journey.projectId), await exports.create(journey.projectId)]
    exports.clock.advance(HOUR_MS)
    await exports.work.workOnDue()
    await exports.service.remove(journey.projectId, stores.userId, first.id)
    const count = async () => {
      const { rows } = await stores.pool.query(
        "SELECT export_id FROM scheduled_export_run WHERE export_id = ANY ($1)",
        [[first.id, second.id]],
      )
      return rows
    }
    expect(await count()).toEqual([{ export_id: second.id }])
    await stores.pool.query("DELETE FROM project WHERE id = $1", [journey.projectId])
    expect(await count()).toEqual([])
    expect(await exports.service.findMany(journey.projectId, [second.id])).toEqual([])
    // Nothing is left to do, and nothing fails.
    exports.clock.advance(HOUR_MS)
    await exports.work.workOnDue()
  })

  test("is not made for a folder of a server without any", async () => {
    const { projectId } = await journeyOfProject(stores)
    const making = createExports({ exportDirectory: null }).create(projectId)
    await expect(making).rejects.toMatchObject({
      details: { attr: "target" },
      message: expect.stringMatching(/EXPORT_DIR/),
    })
  })

  test("says that the folder cannot be written, and goes on once it can", async () => {
    const journey = await journeyOfProject(stores)
    const exports = createExports()
    const { id } = await exports.create(journey.projectId)
    const blocked = join(exports.folder.path, `project-${journey.projectId}`, `export-${id}`)
    writeFileSync(blocked, "not a folder")
    exports.clock.advance(HOUR_MS)
    await exports.work.workOnDue()
    expect(await exports.runs(journey.projectId, id)).toMatchObject([
      { status: "failed", error: "The server cannot write to EXPORT_DIR (ENOTDIR)." },
    ])
    rmSync(blocked)
    exports.clock.advance(60_000)
    await exports.work.workOnDue()
    expect(await exports.runs(journey.projectId, id)).toMatchObject([{ status: "completed", attempts: 2 }])
  })
})
