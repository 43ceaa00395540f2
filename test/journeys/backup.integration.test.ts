import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { ExportManifest } from "../../src/moving/export/manifest.js"
import { runAdminCommand } from "../support/admin-command.js"
import { CaptureLoad, readStored } from "../support/capture-load.js"
import { CaseProject } from "../support/case-project.js"
import { EventLedger } from "../support/event-ledger.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"
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

describe("an export of a server", () => {
  const runExport = (to: string, ...parts: string[]) =>
    runAdminCommand(["export", "--to", to, ...parts], { DATA_DIR: live.path, PERSONAL_KEY })
  const listParts = (folder: string): ExportManifest["parts"] =>
    (JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as ExportManifest).parts
  const countRows = (folder: string, kind: string): number =>
    listParts(folder).reduce((sum, part) => sum + (part.kind === kind ? part.rows : 0), 0)

  /** What events and persons are, but for the ids that every project gives its own. */
  async function readMoved(of: CaseProject | WaymarkApi) {
    return {
      events: await of.hogql(
        `SELECT uuid, event, distinct_id, toString(properties), timestamp, elements_chain, \`$group_0\`,
                person.properties.email, person.is_identified
           FROM events WHERE event NOT IN ('$set', '$merge_dangerously') ORDER BY 1`,
      ),
      groups: await of.hogql("SELECT index, key, properties FROM groups ORDER BY 1, 2"),
    }
  }

  test("is read by an import as the project it was made of, from Parquet as from JSON", async () => {
    await api.capture({ event: "$identify", distinct_id: "zoe", properties: { $anon_distinct_id: "visitor" } })
    await api.drained()
    const [parquet, jsonl] = [inScratch("parquet"), inScratch("jsonl")]
    expect(await runExport(parquet, "--records", "--server", api.url)).toMatchObject({ code: 0, stderr: "" })
    expect(await runExport(jsonl, "--format", "jsonl", "--project", "1")).toMatchObject({ code: 0, stderr: "" })
    const moved = await CaseProject.create(api, "moved")
    const environment = { DATA_DIR: inScratch("importer"), PROJECT_KEY: moved.token, PERSONAL_KEY }
    const runImport = (folder: string) => {
      const files = listParts(folder).filter(({ kind, project }) => project === 1 && /^(events|persons)$/.test(kind))
      const paths = files.map(({ file }) => join(folder, file.path))
      return runAdminCommand(["import", "posthog", ...paths, "--to", api.url], environment)
    }
    const [events, persons] = [countRows(parquet, "events"), countRows(parquet, "persons")]
    const { stdout } = await runImport(parquet)
    expect(stdout.trim()).toBe(
      `${events + persons} rows read, ${events + persons} events sent, 0 there before, 0 left out.`,
    )
    await api.drained()
    expect(await readMoved(moved)).toEqual(await readMoved(api))
    const [person, ...others] = (await moved.see()).persons
    expect({ ids: person?.distinctIds.toSorted(), others }).toEqual({ ids: ["visitor", "zoe"], others: [] })
    expect((await runImport(jsonl)).stdout.trim()).toBe(
      `${events + persons} rows read, 0 events sent, ${events + persons} there before, 0 left out.`,
    )
  })

  test("has columns as PostHog names them, groups with their types, and counts of recordings", async () => {
    const duck = await (await DuckDBInstance.create()).connect()
    const read = async (kind: string, columns: string) => {
      const sql = `SELECT ${columns} FROM read_parquet('${inScratch("parquet")}/project-1/${kind}/*.parquet')`
      return (await duck.runAndReadAll(sql)).getRowsJson()
    }
    expect(await read("events", "distinct_id, team_id, timestamp = created_at, properties->>'amount'")).toContainEqual([
      "zoe",
      "1",
      false,
      "7",
    ])
    expect(await read("persons", "distinct_id, properties->>'email'")).toEqual(
      expect.arrayContaining([
        ["zoe", "zoe@a.test"],
        ["visitor", "zoe@a.test"],
      ]),
    )
    expect(await read("groups", "group_type, group_key, group_properties")).toEqual([["company", "acme", '{"size":3}']])
    expect(await read("session_recordings", "session_id, distinct_id, click_count::INT, first_url")).toEqual([
      [SESSION, "zoe", 1, "https://a.test/"],
    ])
  })

  test("has what people made as REST and GraphQL say it, where that is asked for", async () => {
    const folder = join(inScratch("parquet"), "project-1/records")
    const read = (kind: string) =>
      JSON.parse(readFileSync(join(folder, `${kind}.json`), "utf8")) as { key: string; name: string }[]
    const { body } = await api.get<{ results: unknown[] }>("/api/projects/1/feature_flags/")
    expect(read("feature_flags")).toEqual(body.results)
    expect(read("feature_flags").map(({ key }) => key)).toEqual(expect.arrayContaining(["half", "secret"]))
    expect(read("session_recording_playlists")).toMatchObject([{ name: "kept" }])
    const made = await api.graphql<{ insights: { nodes: object[] }; dashboards: { nodes: object[] } }>(
      "{ insights { nodes { id: number query } } dashboards { nodes { id: number name pinned tags } } }",
    )
    expect(made.insights.nodes.length).toBeGreaterThan(0)
    expect(read("insights")).toMatchObject(made.insights.nodes)
    expect(read("dashboards")).toMatchObject(made.dashboards.nodes)
    expect(existsSync(inScratch("jsonl/project-1/records"))).toBe(false)
  })

  test("made again writes only days that have changed, and of the times that are asked for", async () => {
    const folder = inScratch("jsonl")
    const before = filesOf(folder)
    await api.capture({ event: "refunded", distinct_id: "zoe", timestamp: "2026-03-05T00:00:00Z" })
    await api.drained()
    expect(await runExport(folder, "--format", "jsonl", "--project", "1")).toMatchObject({ code: 0 })
    const added = filesOf(folder).filter((path) => !before.includes(path))
    expect(added).toEqual([expect.stringMatching(/^project-1\/events\/2026-03-05-\d+\.jsonl$/)])
    expect(before.filter((path) => !filesOf(folder).includes(path))).toEqual([])

    const [day] = added as [string]
    rmSync(join(folder, day))
    const limited = inScratch("limited")
    const times = ["--after", "2026-03-05", "--before", "2026-03-06"]
    expect(await runExport(limited, "--format", "jsonl", ...times)).toMatchObject({ code: 0 })
    expect(filesOf(limited).filter((path) => path.includes("/events/"))).toEqual([day])
    expect(await runExport(folder, "--format", "jsonl", "--project", "1")).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, day))).toEqual(readFileSync(join(limited, day)))
  })

  test("is refused into a folder of something else, and for what is no project or no time", async () => {
    const refused = async (...parts: string[]) => {
      const { code, stderr } = await runAdminCommand(["export", ...parts], { DATA_DIR: live.path })
      return code === 1 ? stderr : null
    }
    expect(await refused("--to", live.path)).toContain("holds something else than an export")
    expect(await refused("--to", inScratch("jsonl"))).toContain("holds an export of other projects, times or files")
    expect(await refused("--to", inScratch("none"), "--project", "999")).toBe("There is no project 999.\n")
    expect(await refused("--to", inScratch("none"), "--after", "soon")).toContain("soon is not a time")
    expect(await refused("--to", inScratch("none"), "--format", "xml")).toContain("Usage: npm run export")
  })
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
                    FROM ${table("events")} WHERE event = 'paid' AND project_id = 1`),
    ).toEqual([["paid", "zoe", expect.stringContaining("2026-03-04 05:06:07"), 7]])
    expect(
      await read(`SELECT property_email FROM ${table("persons")} WHERE property_email IS NOT NULL AND project_id = 1`),
    ).toEqual([["zoe@a.test"]])
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
