import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { runAdminCommand } from "../support/admin-command.js"
import { CaptureLoad, readStored } from "../support/capture-load.js"
import { EventLedger } from "../support/event-ledger.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"
import { fillServer, readAll, SESSION } from "../support/whole-server.js"

const live = copyOfTemplate("server")
const scratch = temporaryDirectory()
const inScratch = (name: string): string => join(scratch.path, name)
const server = new WaymarkProcess(live.path)
let api: WaymarkApi

const backUp = (to: string) => runAdminCommand(["backup", "--to", to], { DATA_DIR: live.path })
const verify = (from: string) => runAdminCommand(["verify-backup", "--from", from], {})
const restore = (from: string, dataDirectory: string) =>
  runAdminCommand(["restore", "--from", from], { DATA_DIR: dataDirectory })

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** By cp, which keeps owners: as root, PostgreSQL runs as another user. */
const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to])

/** Runs `work` with a server on a directory. */
async function withServer<T>(dataDirectory: string, work: (api: WaymarkApi) => Promise<T>): Promise<T> {
  const other = new WaymarkProcess(dataDirectory)
  try {
    const otherApi = new WaymarkApi(await other.ready())
    await otherApi.drained()
    return await work(otherApi)
  } finally {
    await other.stop()
  }
}

beforeAll(async () => {
  api = new WaymarkApi(await server.ready())
  await fillServer(api)
})
afterAll(async () => {
  await server.stop()
  live.remove()
  scratch.remove()
})

describe("a backup of a server", () => {
  test("that stores events meanwhile has each that was acknowledged before it once, and none twice", async () => {
    const [before, meanwhile] = [new EventLedger(), new EventLedger()]
    const loadBefore = new CaptureLoad({ ledger: before, url: () => api.url, clients: 3, batchSize: 40 })
    const loadMeanwhile = new CaptureLoad({ ledger: meanwhile, url: () => api.url, clients: 3, batchSize: 40 })
    await waitFor("requests to be acknowledged", () => before.acknowledgedRequests > 40)
    await loadBefore.stop()
    const startedAt = meanwhile.acknowledgedEvents
    expect(await backUp(inScratch("busy"))).toMatchObject({ code: 0, stderr: "" })
    expect(meanwhile.acknowledgedEvents).toBeGreaterThan(startedAt)
    await loadMeanwhile.stop()

    expect(await restore(inScratch("busy"), inScratch("busy-data"))).toMatchObject({ code: 0, stderr: "" })
    const stored = await withServer(inScratch("busy-data"), (restored) => readStored(restored))
    const { lost, duplicated, stable } = before.judge(stored)
    expect({ lost, duplicated }).toEqual({ lost: [], duplicated: [] })
    expect(stable).toBe(before.acknowledgedEvents)
  }, 300_000)

  test("is restored as all that the server shows, and keeps out what was stored before", async () => {
    await api.drained()
    const folder = inScratch("busy")
    const earlier = filesOf(folder).filter((path) => path.startsWith("clickhouse/"))
    const beganAtMs = Date.now()
    expect(await backUp(folder)).toMatchObject({ code: 0, stderr: "" })
    const { serverHealth } = await api.graphql<{ serverHealth: { lastBackupAt: string } }>(
      "{ serverHealth { lastBackupAt } }",
    )
    expect(Date.parse(serverHealth.lastBackupAt)).toBeGreaterThanOrEqual(beganAtMs)
    // Written once: the day that nothing has come to since.
    const oldDay = earlier.filter((path) => path.startsWith("clickhouse/events/2026-03-04"))
    expect(oldDay).toHaveLength(1)
    expect(filesOf(folder)).toEqual(expect.arrayContaining(oldDay))
    expect(await verify(folder)).toMatchObject({ code: 0, stdout: expect.stringContaining("is whole") })

    expect(await restore(folder, inScratch("whole-data"))).toMatchObject({ code: 0, stderr: "" })
    const expected = await readAll(api)
    expect(expected).toMatchObject({ secret: '"hush"', snapshots: expect.stringContaining("https://a.test/") })
    await withServer(inScratch("whole-data"), async (restored) => {
      expect(await readAll(restored)).toEqual(expected)
      // A client that did not hear the answer sends an event again.
      const [[uuid]] = (await restored.hogql<[string]>("SELECT uuid FROM events WHERE event = 'survived' LIMIT 1")) as [
        [string],
      ]
      await restored.capture({ event: "survived", distinct_id: "client-0", uuid })
      await restored.drained()
      expect((await readStored(restored)).get(uuid)).toBe(1)
    })
  }, 300_000)

  test("is read by others: events, persons and recordings as Parquet", async () => {
    const duck = await (await DuckDBInstance.create()).connect()
    const read = async (sql: string) => (await duck.runAndReadAll(sql)).getRowsJson()
    const table = (name: string) => `read_parquet('${inScratch("busy")}/clickhouse/${name}/*.parquet')`
    expect(
      await read(`SELECT event, distinct_id, CAST(timestamp AS VARCHAR), json_extract(properties, '$.amount')::INT
                    FROM ${table("events")} WHERE event = 'paid'`),
    ).toEqual([["paid", "zoe", expect.stringContaining("2026-03-04 05:06:07"), 7]])
    expect(await read(`SELECT property_email FROM ${table("persons")} WHERE property_email IS NOT NULL`)).toEqual([
      ["zoe@a.test"],
    ])
    expect(await read(`SELECT session_id, click_count::INT FROM ${table("session_replay_events")}`)).toEqual([
      [SESSION, 1],
    ])
  })

  test("is refused where a file has changed, and named", async () => {
    const folder = inScratch("damaged")
    copy(inScratch("busy"), folder)
    const [person] = filesOf(folder).filter((path) => path.endsWith("/person.copy.gz")) as [string]
    const [events] = filesOf(folder).filter((path) => path.startsWith("clickhouse/events/")) as [string]
    const bytes = readFileSync(join(folder, person))
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(join(folder, person), bytes)
    truncateSync(join(folder, events), 100)
    const { code, stderr } = await verify(folder)
    expect(code).toBe(1)
    expect(stderr).toContain(`${person} has changed since it was written.`)
    expect(stderr).toContain(`${events} has 100 bytes`)
    expect(await restore(folder, inScratch("damaged-data"))).toMatchObject({ code: 1, stderr })
  })

  test("has stores of its own: with one of another no server starts", async () => {
    const mixed = inScratch("mixed")
    copy(inScratch("whole-data"), mixed)
    rmSync(join(mixed, "postgres"), { recursive: true })
    copy(inScratch("busy-data/postgres"), join(mixed, "postgres"))
    const { code, stderr } = await new WaymarkProcess(mixed).ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("does not belong to") })
  })

  test("goes to no directory that holds something else, and no data directory that is in use", async () => {
    const target = await restore(inScratch("busy"), live.path)
    expect(target).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") })
    const folder = await backUp(live.path)
    expect(folder).toMatchObject({ code: 1, stderr: expect.stringContaining("holds something else than a backup") })
    const usage = await runAdminCommand(["restore"], {})
    expect(usage).toMatchObject({ code: 1, stderr: "Usage: npm run restore -- --from DIR\n" })
  })
})
