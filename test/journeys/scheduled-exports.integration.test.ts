import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { runAdminCommand } from "../support/admin-command.js"
import { S3_KEY, S3Server } from "../support/s3-server.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const ENVIRONMENT = { EXPORT_TO_PRIVATE_ADDRESSES: "true" }
const live = copyOfTemplate("server")
const scratch = temporaryDirectory()
let server = new WaymarkProcess(live.path, ENVIRONMENT)
let s3: S3Server
const api = new WaymarkApi(() => url)
let url = ""

beforeAll(async () => {
  s3 = await S3Server.start()
  url = await server.ready()
})
afterAll(async () => {
  await server.stop()
  await s3.stop()
  live.remove()
  scratch.remove()
})

const CREATE = `mutation ($name: String!, $content: ScheduledExportContent!, $target: ScheduledExportTargetInput!) {
  createScheduledExport(input: { name: $name, content: $content, target: $target }) {
    scheduledExport { id number } userErrors { message } } }`
const RUN = `mutation ($id: ID!) { runScheduledExport(input: { id: $id }) { userErrors { message } } }`
const READ = `query ($number: Int!) { scheduledExport(by: { number: $number }) { isPaused failingSince
  target { kind endpoint bucket accessKeyId } createdBy { email }
  runs(first: 5) { nodes { status fileCount rowCount byteCount error } } activity(first: 5) { nodes { activity } } } }`

interface Run {
  readonly status: string
  readonly fileCount: number
  readonly rowCount: number
}

async function create(name: string, content: string, target: object) {
  const made = await api.changed<{ createScheduledExport: { id: string; number: number } }>(CREATE, {
    name,
    content,
    target,
  })
  return made.createScheduledExport
}

const read = async (number: number) =>
  (await api.graphql<{ scheduledExport: { runs: { nodes: Run[] } } }>(READ, { number })).scheduledExport

const completed = (number: number) =>
  waitFor("the run to be completed", async () => {
    const found = await read(number)
    return found.runs.nodes[0]?.status === "COMPLETED" && found
  })

describe("exports by schedule of a server", () => {
  test("write files of a folder that the import reads into another project, each event once", async () => {
    const [events, persons] = [
      await create("events", "EVENTS", { folder: { prefix: "a" } }),
      await create("persons", "PERSONS", { folder: { prefix: "a" } }),
    ]
    for (const event of ["viewed", "bought", "bought"])
      await api.capture({ event, distinct_id: "ada", properties: { plan: "team", $set: { name: "Ada" } } })
    await api.drained()
    for (const { id, number } of [events, persons]) {
      await api.changed(RUN, { id })
      expect(await completed(number)).toMatchObject({
        createdBy: { email: expect.any(String) },
        runs: { nodes: [{ fileCount: 1, error: null }] },
        activity: { nodes: [{ activity: "OTHER" }, { activity: "CREATED" }] },
      })
    }
    const folder = join(live.path, "exports/project-1")
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".parquet"))
    expect(files).toHaveLength(2)

    const { createProject } = await api.changed<{ createProject: { apiToken: string; number: number } }>(
      'mutation { createProject(input: { name: "copy" }) { project { number apiToken } userErrors { message } } }',
    )
    const report = await runAdminCommand(
      ["import", "posthog", ...files.sort().map((path) => join(folder, path)), "--to", url],
      { DATA_DIR: scratch.path, PROJECT_KEY: createProject.apiToken, PERSONAL_KEY },
    )
    expect(report).toMatchObject({ code: 0 })
    await api.drained()
    const rows = async (project: number) => {
      const query =
        "SELECT event, properties.plan, person.properties.name FROM events WHERE event != '$set' ORDER BY uuid"
      const body = { query: { kind: "HogQLQuery", query }, refresh: "force_blocking" }
      return (await api.post<{ results: unknown[] }>(`/api/environments/${project}/query/`, body)).body.results
    }
    expect(await rows(createProject.number)).toEqual(await rows(1))
    expect(await rows(1)).toHaveLength(3)
  })

  test("go on after a kill in the middle, with the same objects", async () => {
    const { id, number } = await create("bucket", "EVENTS", s3.target({ prefix: "killed" }))
    await api.capture({ event: "survives", distinct_id: "ada" })
    await api.drained()
    const reached = new Promise<void>((resolve) => {
      s3.intervene = (path) => {
        if (!path.includes("/events/")) return false
        resolve()
        // Never answered: the server dies while it waits.
        return true
      }
    })
    await api.changed(RUN, { id })
    await reached
    await server.kill()
    s3.intervene = () => false
    server = new WaymarkProcess(live.path, ENVIRONMENT)
    url = await server.ready()
    expect(await completed(number)).toMatchObject({
      failingSince: null,
      target: { kind: "S3", endpoint: s3.endpoint, bucket: "a-bucket", accessKeyId: S3_KEY.accessKeyId },
      runs: { nodes: [{ fileCount: 1, rowCount: 1, error: null }] },
    })
    const keys = s3.puts.filter((path) => path.includes("killed/events/"))
    expect(keys.map((path) => path.replace(/^.*Z-/, ""))).toEqual(["0000.parquet", "manifest.json"])
    expect(readdirSync(live.path).filter((name) => name.startsWith("export-"))).toEqual([])
  })
})
