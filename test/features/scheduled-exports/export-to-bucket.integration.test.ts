import { inspect } from "node:util"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import type { Logger } from "../../../src/platform/logger/logger.js"
import { refuse, S3_KEY, S3Server } from "../../support/s3-server.js"
import { sent } from "../ingestion/batches/journey.js"
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

describe("an export into a bucket", () => {
  let s3: S3Server
  beforeAll(async () => {
    s3 = await S3Server.start()
  })
  afterAll(() => s3.stop())
  beforeEach(() => {
    s3.intervene = () => false
  })

  /** A project with an export into the bucket, and an event in its first interval. */
  async function exportEvent(changed: Changed = {}, target: Readonly<Record<string, unknown>> = {}) {
    const journey = await journeyOfProject(stores)
    const exports = createExports(changed)
    const prefix = `of-${journey.projectId}`
    const made = await exports.create(journey.projectId, { format: "jsonl", target: s3.target({ prefix, ...target }) })
    await journey.append(sent("bought", "ada"))
    await journey.work()
    exports.clock.advance(HOUR_MS)
    const keys = (): string[] => s3.puts.filter((path) => path.startsWith(`a-bucket/${prefix}/events/`))
    return { journey, exports, id: made.id, prefix, keys }
  }

  test("puts objects with signatures that hold, and one of each, however many processes there are", async () => {
    const { exports, prefix, keys } = await exportEvent()
    expect(s3.puts).toContain(`a-bucket/${prefix}/waymark-check.txt`)
    await Promise.all([exports, exports.beside(), exports.beside()].map(({ work }) => work.workOnDue()))
    const [file = "", manifest = ""] = keys()
    expect(keys()).toHaveLength(2)
    expect(linesOf(s3.objects.get(file)?.toString())).toMatchObject([{ event: "bought", distinct_id: "ada" }])
    expect(manifest).toMatch(/-manifest\.json$/)
  })

  test("is tried again with growing pauses, keeps the reason, and goes on with the interval that failed", async () => {
    const { journey, exports, id, keys } = await exportEvent()
    let status = 503
    s3.intervene = (_path, response) => {
      if (status > 0) refuse(response, status, "SlowDown")
      return status > 0
    }
    const pauses: number[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      await exports.work.workOnDue()
      const [found] = await exports.service.findMany(journey.projectId, [id])
      pauses.push(Number(found?.dueAt) - exports.clock.now())
      expect(found?.failingSince).not.toBe(null)
      exports.clock.advance(Number(found?.dueAt) - exports.clock.now())
    }
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000])
    expect(await exports.runs(journey.projectId, id)).toMatchObject([
      { status: "failed", attempts: 4, error: "The bucket's server answered 503 SlowDown." },
    ])
    expect(await exports.countFailing()).toBeGreaterThan(0)

    await journey.append(sent("later", "ada"))
    await journey.work()
    exports.clock.advance(3 * HOUR_MS)
    status = 0
    for (let turn = 0; turn < 4; turn++) await exports.work.workOnDue()
    const runs = await exports.runs(journey.projectId, id)
    expect(runs.map((run) => [run.status, run.error])).toEqual(Array(4).fill(["completed", null]))
    for (const [index, run] of runs.slice(1).entries()) expect(runs[index]?.intervalFrom).toEqual(run.intervalTo)
    const files = keys().filter((path) => path.endsWith(".jsonl"))
    const events = files.flatMap((path) => linesOf(s3.objects.get(path)?.toString()).map(({ event }) => event))
    expect(events).toEqual(["bought", "later"])
    expect((await exports.service.findMany(journey.projectId, [id]))[0]?.failingSince).toBe(null)
    s3.intervene = () => false
  })

  test("is broken off when its process stops, and another one goes on behind the last file", async () => {
    const { journey, exports, id, keys } = await exportEvent()
    const stopping = exports.beside()
    const asked = new Promise<void>((resolve) => {
      s3.intervene = (path) => {
        if (!path.endsWith("manifest.json")) return false
        resolve()
        // Never answered.
        return true
      }
    })
    const working = stopping.work.workOnDue()
    await asked
    await stopping.work.stop()
    await working
    s3.intervene = () => false
    expect(await exports.runs(journey.projectId, id)).toMatchObject([{ status: "running", attempts: 0 }])
    await exports.work.workOnDue()
    expect(keys().map((path) => path.replace(/^.*Z-/, ""))).toEqual(["0000.jsonl", "manifest.json"])
  })

  test("keeps its secret to itself", async () => {
    const { secretAccessKey } = S3_KEY
    const log: string[] = []
    const tell = (...parts: unknown[]) => void log.push(inspect(parts, { depth: 9 }))
    const logger: Logger = { debug: tell, info: tell, warn: tell, error: tell, child: () => logger }
    const { journey, exports, id } = await exportEvent({ logger })
    s3.intervene = (_path, response) => {
      refuse(response, 403, "AccessDenied")
      return true
    }
    await exports.work.workOnDue()
    s3.intervene = () => false
    const [run] = await exports.runs(journey.projectId, id)
    expect(run?.error).toBe("The bucket's server answered 403 AccessDenied.")
    await exports.service.update(journey.projectId, stores.userId, id, { target: s3.target({ prefix: "elsewhere" }) })
    const tables = await Promise.all(
      ["scheduled_export", "scheduled_export_run", "activity_log"].map(async (table) => {
        const { rows } = await stores.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)
        return rows.map(({ row }) => row).join("\n")
      }),
    )
    expect(tables.join()).toContain(S3_KEY.accessKeyId)
    expect(tables.join() + log.join() + JSON.stringify(run)).not.toContain(secretAccessKey)
    const { rows } = await stores.pool.query(
      "SELECT changes FROM activity_log WHERE project_id = $1 AND scope = 'ScheduledExport' AND activity = 'updated'",
      [journey.projectId],
    )
    expect(JSON.stringify(rows)).toContain('{"field":"secret_access_key","action":"changed"}')
  })

  test.each<[string, Readonly<Record<string, unknown>>, Changed, string, string | RegExp]>([
    ["a wrong secret", { secretAccessKey: "wrong" }, {}, "target", "answered 403 SignatureDoesNotMatch."],
    ["a wrong region", { region: "elsewhere" }, {}, "target", "answered 403 AuthorizationHeaderMalformed."],
    ["no secret", { secretAccessKey: undefined }, {}, "target__s3__secretAccessKey", "required"],
    ["a server that is not there", { endpoint: "http://127.0.0.1:1" }, {}, "target", "ECONNREFUSED"],
    ["no key to keep the secret with", {}, { cipher: null }, "target", "FLAG_PAYLOAD_KEYS"],
    [
      "a private address that nobody allowed",
      { endpoint: "https://127.0.0.1:1" },
      { allowsPrivateAddresses: false },
      "target",
      "EXPORT_TO_PRIVATE_ADDRESSES",
    ],
    [
      "a name of a private address",
      { endpoint: "https://localhost:1" },
      { allowsPrivateAddresses: false },
      "target",
      "EXPORT_TO_PRIVATE_ADDRESSES",
    ],
    ["no TLS outside of private networks", {}, { allowsPrivateAddresses: false }, "target__s3__endpoint", "https://"],
  ])("is not made with %s", async (_what, target, changed, attr, says) => {
    const { projectId } = await journeyOfProject(stores)
    const exports = createExports(changed)
    const making = exports.create(projectId, { target: s3.target(target) })
    await expect(making).rejects.toMatchObject({ message: expect.stringContaining(String(says)), details: { attr } })
  })

  test("keeps the secret for the same server and key alone", async () => {
    const { journey, exports, id } = await exportEvent()
    const change = (target: Readonly<Record<string, unknown>>) =>
      exports.service.update(journey.projectId, stores.userId, id, {
        target: s3.target({ secretAccessKey: undefined, ...target }),
      })
    expect((await change({ bucket: "another-bucket" })).target.bucket).toBe("another-bucket")
    const missing = { code: "required", details: { attr: "target__s3__secretAccessKey" } }
    await expect(change({ endpoint: "http://127.0.0.1:1" })).rejects.toMatchObject(missing)
    await expect(change({ accessKeyId: "AKIAOTHER" })).rejects.toMatchObject(missing)
  })
})
