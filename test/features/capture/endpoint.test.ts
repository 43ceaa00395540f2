import { describe, expect, test } from "@jest/globals"
import { CAPTURE_PATHS } from "../../../src/features/capture/capture.routes.js"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import type { WireAnswer } from "./cases/capture-driver.js"
import { createInMemoryDriver, failingKeys, type InMemoryDriver, NOW_MS } from "./cases/in-memory-driver.js"

const EVENT = { api_key: "phc_test", event: "e", distinct_id: "u" }
const HOUR_MS = 3_600_000

const post = (
  driver: InMemoryDriver,
  url: string,
  json: Json,
  headers: Record<string, string> = {},
): Promise<WireAnswer> => driver.send({ method: "POST", url, headers, body: Buffer.from(JSON.stringify(json)) })

describe("capture answers", () => {
  const otherPaths = ["/s", "/i/v1/analytics/events"]
  const eventPaths = CAPTURE_PATHS.map(({ path }) => path).filter((path) => !otherPaths.includes(path))

  test.each(eventPaths)("200 and Ok on %s, with and without a final slash, for all three shapes", async (path) => {
    const driver = createInMemoryDriver()
    const shapes = [EVENT, [EVENT], { api_key: "phc_test", batch: [EVENT] }]
    for (const url of [path, `${path}/`])
      for (const shape of shapes)
        expect(await post(driver, url, shape)).toMatchObject({ status: 200, text: '{"status":"Ok"}' })
    expect(await driver.stored()).toHaveLength(6)
  })

  test.each([...eventPaths, "/s"])("400 and the field on %s for a batch without events", async (path) => {
    const driver = createInMemoryDriver()
    const { status, text } = await post(driver, `${path}/`, { api_key: "phc_test", batch: [] })
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: "malformed_data", attr: "batch" }])
  })

  test("204 without a body to a beacon, and to nothing else", async () => {
    const driver = createInMemoryDriver()
    expect(await post(driver, "/e/?beacon=1", EVENT)).toMatchObject({ status: 204, text: "" })
    expect(await post(driver, "/e/?beacon=2", EVENT)).toMatchObject({ status: 200 })
  })

  test("how many events were dropped, and only then", async () => {
    const driver = createInMemoryDriver()
    const some = await post(driver, "/batch/", { api_key: "phc_test", batch: [EVENT, { event: "e" }, null] })
    expect([some.status, some.headers["x-dropped-events"]]).toEqual([200, "2"])
    expect((await post(driver, "/batch/", [EVENT])).headers).not.toHaveProperty("x-dropped-events")
  })

  test("401 to a key that no project has, naming the project key", async () => {
    const answer = await post(createInMemoryDriver(), "/e/", { ...EVENT, api_key: "phc_nobody" })
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([401, "invalid_api_key"])
  })

  test("503 with a time to retry after when keys cannot be looked up, and stores nothing", async () => {
    const driver = createInMemoryDriver(failingKeys)
    const answer = await post(driver, "/e/", EVENT)
    expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "5"])
    expect(await driver.stored()).toEqual([])
  })
})

describe("capture stores", () => {
  test("events under the project of the key, whatever they say about projects themselves", async () => {
    const driver = createInMemoryDriver()
    await post(driver, "/batch/", { api_key: "phc_test", batch: [{ ...EVENT, api_key: "phc_OTHER", team_id: 2 }] })
    expect((await driver.stored()).map(({ projectId }) => projectId)).toEqual([1])
  })

  test.each(["/e/", "/batch/", "/i/v0/e/"])(
    "a snapshot that comes to %s as part of a recording, not as an event",
    async (path) => {
      const driver = createInMemoryDriver()
      const snapshot = (properties: JsonObject) => ({ ...EVENT, event: "$snapshot", properties })
      const recorded = { $session_id: "s-1", $snapshot_data: [{ type: 4, timestamp: NOW_MS }] }
      const answer = await post(driver, path, {
        api_key: "phc_test",
        batch: [
          snapshot({ $session_id: "s-1" }),
          EVENT,
          snapshot(recorded),
          { event: "" },
          snapshot(recorded),
          { ...EVENT, event: "$snapshot_items" },
        ],
      })
      expect([answer.status, answer.headers["x-dropped-events"]]).toEqual([200, "3"])
      const stored = await driver.stored()
      expect(stored.map(({ event }) => event).sort()).toEqual(["$snapshot_items", "e"])
      const { properties } = stored.find(({ event }) => event !== "e") ?? {}
      expect(properties).toMatchObject({ $session_id: "s-1", $snapshot_items: [{ type: 4 }, { type: 4 }] })
    },
  )

  test("the mark of a historical migration", async () => {
    const driver = createInMemoryDriver()
    await post(driver, "/batch/", { api_key: "phc_test", historical_migration: true, batch: [EVENT] })
    expect((await driver.stored())[0]?.historicalMigration).toBe(true)
  })

  test.each([
    ["in the envelope", "/batch/", { sent_at: new Date(NOW_MS + HOUR_MS).toISOString() }, -HOUR_MS],
    ["in the query in milliseconds", `/batch/?_=${NOW_MS + HOUR_MS}`, {}, -HOUR_MS],
    ["not in the query in seconds", `/batch/?_=${NOW_MS / 1000}`, {}, 0],
  ])("times corrected by when the client says it sent them: %s", async (_where, url, envelope, correctionMs) => {
    const driver = createInMemoryDriver()
    const timestamp = new Date(NOW_MS).toISOString()
    await post(driver, url, { api_key: "phc_test", batch: [{ ...EVENT, timestamp }], ...envelope })
    expect((await driver.stored())[0]?.timestamp).toBe(new Date(NOW_MS + correctionMs).toISOString())
  })
})

describe("capture warns", () => {
  test("of each event that was dropped or changed, saying which and why", async () => {
    const driver = createInMemoryDriver()
    const long = "d".repeat(201)
    await post(driver, "/batch/", { api_key: "phc_test", batch: [{ event: "no id" }, { ...EVENT, distinct_id: long }] })
    expect(driver.warnings).toEqual([
      {
        severity: "dropped",
        reason: "missing_distinct_id",
        event: "no id",
        distinctId: null,
        uuid: null,
        detail: null,
      },
      { severity: "changed", reason: "distinct_id_cut", event: "e", distinctId: long, uuid: null, detail: null },
    ])
  })

  test("in the words of the client when that is what the event is for", async () => {
    const driver = createInMemoryDriver()
    const properties = { $$client_ingestion_warning_message: "too many events" }
    await post(driver, "/e/", { ...EVENT, event: "$$client_ingestion_warning", properties })
    expect(driver.warnings).toMatchObject([{ reason: "client_ingestion_warning", detail: "too many events" }])
  })
})
