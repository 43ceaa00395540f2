import { describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { createInMemoryDriver } from "./cases/in-memory-driver.js"

const PADDING = " ".repeat(2 * 1024 * 1024)
const SESSION = { $session_id: "s-1", $window_id: "w-1" }
const V1_HEADERS = {
  authorization: "Bearer phc_test",
  "content-type": "application/json",
  "user-agent": "test/1",
  "posthog-sdk-info": "test/1.0.0",
  "posthog-attempt": "1",
  "posthog-request-id": "01990000-0000-7000-8000-000000000001",
  "posthog-request-timestamp": "2026-11-21T12:00:00.000Z",
}

/** What is told of a request and kept of it; `padding` says nothing and only makes the body large. */
async function outcomeOf(path: string, body: Json, padding: string, headers: Record<string, string> = {}) {
  const driver = createInMemoryDriver()
  const sent = Buffer.from(`${JSON.stringify(body).slice(0, -1)}${padding}${JSON.stringify(body).slice(-1)}`)
  const { status, text, headers: told } = await driver.send({ method: "POST", url: path, headers, body: sent })
  return { status, text, dropped: told["x-dropped-events"], events: await driver.stored(), warnings: driver.warnings }
}

const event = (index: number, more: JsonObject = {}): JsonObject => ({
  event: "e",
  distinct_id: `u-${index}`,
  timestamp: "2026-11-21T11:00:00.000Z",
  properties: { index },
  ...more,
})
/** Events of which every hundredth is dropped, and some are changed. */
const events = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) =>
    index % 100 === 7 ? { event: "" } : event(index, index % 9 === 3 ? { $set: { name: "a\u0000b" } } : {}),
  )
const snapshot = (index: number): JsonObject =>
  event(index, {
    event: "$snapshot",
    properties: {
      ...SESSION,
      token: "phc_test",
      $snapshot_data: [
        { type: 3, timestamp: index },
        { type: 4, timestamp: index },
      ],
    },
  })

describe("a large request", () => {
  test.each<readonly [string, string, Json, Record<string, string>]>([
    ["a batch", "/batch/", { api_key: "phc_test", batch: events(500) }, {}],
    ["a list of events", "/e/", events(300).map((one) => ({ ...one, api_key: "phc_test" })), {}],
    ["persons", "/engage/", events(300).map((one) => ({ ...one, token: "phc_test" })), {}],
    ["snapshots", "/s/", [snapshot(1), { event: "$snapshot" }, snapshot(2)], {}],
    [
      "snapshots among events",
      "/batch/",
      { api_key: "phc_test", batch: [event(1), snapshot(2), { event: "" }, snapshot(3)] },
      {},
    ],
    [
      "a v1 batch",
      "/i/v1/analytics/events",
      {
        created_at: "2026-11-21T12:00:00.000Z",
        batch: events(300).map((one, index) => ({
          ...one,
          uuid: `01990000-0000-7000-8000-${String(index).padStart(12, "0")}`,
        })),
      },
      V1_HEADERS,
    ],
  ])("is taken as a small one that says the same: %s", async (_what, path, body, headers) => {
    const small = await outcomeOf(path, body, "", headers)
    expect(small.status).toBe(200)
    expect(small.events.length).toBeGreaterThan(0)
    expect(await outcomeOf(path, body, PADDING, headers)).toEqual(small)
  })

  test("has each event told of that was dropped, however many they are", async () => {
    const batch = [...Array.from({ length: 5_000 }, () => 1), event(1)]
    const { dropped, warnings, events: kept } = await outcomeOf("/batch/", { api_key: "phc_test", batch }, "")
    expect([dropped, warnings.length, kept.length]).toEqual(["5000", 5_000, 1])
  })
})

test.each<readonly [string, JsonObject, number]>([
  ["all of whose bytes are needed", { text: "x".repeat(999_987) }, 1],
  ["one byte too large", { text: "x".repeat(999_990) }, 0],
  ["too large by its escapes alone", { text: "\u0001".repeat(166_700) }, 0],
  ["too large by its letters alone", { text: "日".repeat(333_400) }, 0],
  ["too large by many small values", { list: Array.from({ length: 500_000 }, () => 1) }, 0],
  ["of many small values that fit", { list: Array.from({ length: 499_990 }, () => 1) }, 1],
])("an event %s is kept or dropped to the byte", async (_what, properties, kept) => {
  const { events: stored } = await outcomeOf("/e/", { ...event(1), api_key: "phc_test", properties }, "")
  expect(stored).toHaveLength(kept)
})
