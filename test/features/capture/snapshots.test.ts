import { describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import type { WireAnswer } from "./cases/capture-driver.js"
import { createInMemoryDriver, type InMemoryDriver, NOW_MS } from "./cases/in-memory-driver.js"

const SESSION = "0198f0a0-0000-7000-8000-000000000001"
const uuidOf = (index: number): string => `0198f0a0-0000-7000-8000-${String(index).padStart(12, "0")}`

const snapshot = (index: number, properties: JsonObject = {}, fields: JsonObject = {}): JsonObject => ({
  uuid: uuidOf(index),
  event: "$snapshot",
  properties: {
    token: "phc_test",
    distinct_id: "u",
    $session_id: SESSION,
    $window_id: "w",
    $lib: "web",
    $snapshot_data: [{ type: 3, timestamp: index }],
    ...properties,
  },
  ...fields,
})

const post = (driver: InMemoryDriver, json: Json, headers: Record<string, string> = {}): Promise<WireAnswer> =>
  driver.send({ method: "POST", url: "/s/", headers, body: Buffer.from(JSON.stringify(json)) })

describe("snapshots", () => {
  test("of one session and window become one event with the uuid of the first", async () => {
    const driver = createInMemoryDriver()
    expect(await post(driver, [snapshot(1), snapshot(2)])).toMatchObject({ status: 200, text: '{"status":"Ok"}' })
    expect(await driver.stored()).toMatchObject([
      {
        uuid: uuidOf(1),
        event: "$snapshot_items",
        distinctId: "u",
        properties: {
          distinct_id: "u",
          $session_id: SESSION,
          $window_id: "w",
          $snapshot_source: "web",
          $snapshot_items: [
            { type: 3, timestamp: 1 },
            { type: 3, timestamp: 2 },
          ],
          $lib: "web",
        },
      },
    ])
  })

  test("of several sessions and windows are told apart", async () => {
    const driver = createInMemoryDriver()
    await post(driver, [
      snapshot(1),
      snapshot(2, { $window_id: "x" }),
      snapshot(3, { $session_id: "other" }),
      snapshot(4),
    ])
    const stored = await driver.stored()
    expect(stored.map(({ uuid }) => uuid)).toEqual([uuidOf(1), uuidOf(2), uuidOf(3)])
    expect(stored[0]?.properties.$snapshot_items).toHaveLength(2)
  })

  test("belong to the session that events of the same client name, also when it writes the id in capitals", async () => {
    const driver = createInMemoryDriver()
    const capitals = SESSION.toUpperCase()
    await post(driver, [snapshot(1, { $session_id: capitals }), snapshot(2), snapshot(3, { $session_id: "No-UUID" })])
    const event = { token: "phc_test", event: "e", distinct_id: "u", properties: { $session_id: capitals } }
    await driver.send({ method: "POST", url: "/e/", headers: {}, body: Buffer.from(JSON.stringify(event)) })
    const sessions = (await driver.stored()).map(({ properties }) => properties.$session_id)
    expect(sessions).toEqual([SESSION, "No-UUID", SESSION])
  })

  test("keep their items to the byte, gzip inside texts included", async () => {
    const driver = createInMemoryDriver()
    const item = { type: 2, data: "\u001f\u008b\u0000\ud800", cv: "2024-10" }
    await post(driver, [snapshot(1, { $snapshot_data: [item] })])
    expect((await driver.stored())[0]?.properties.$snapshot_items).toEqual([item])
  })

  test("may be one event with one item, as old clients send it, and without window or source", async () => {
    const driver = createInMemoryDriver()
    const data = { $snapshot_data: { type: 4 }, $window_id: null, $lib: null }
    await post(driver, snapshot(1, data), { "User-Agent": "posthog-android/3.1" })
    expect((await driver.stored())[0]?.properties).toMatchObject({
      $window_id: SESSION,
      $snapshot_items: [{ type: 4 }],
      $lib: "posthog-android/3.1",
    })
  })

  test("have their time corrected by what each says about its sending", async () => {
    const driver = createInMemoryDriver()
    const wrongClock = new Date(NOW_MS + 3_600_000).toISOString()
    await post(driver, [snapshot(1, {}, { timestamp: wrongClock, sent_at: wrongClock })])
    expect((await driver.stored())[0]?.timestamp).toBe(new Date(NOW_MS).toISOString())
  })

  test.each<[string, Json]>([
    ["no session id", snapshot(1, { $session_id: null })],
    ["a session id that is no text", snapshot(1, { $session_id: { x: "y" } })],
    ["a session id of 71 characters", snapshot(1, { $session_id: "x".repeat(71) })],
    ["a session id with other characters", snapshot(1, { $session_id: "<script>" })],
    [
      "no snapshot data, and others beside it no session",
      [snapshot(1, { $snapshot_data: null }), snapshot(2, { $session_id: 5 }), 5],
    ],
  ])("are refused with 400 and nothing stored when they have %s", async (_what, body) => {
    const driver = createInMemoryDriver()
    expect((await post(driver, body)).status).toBe(400)
    expect(await driver.stored()).toEqual([])
  })

  test("that lack something are dropped alone when others of the request can be kept", async () => {
    const driver = createInMemoryDriver()
    const lacking: readonly JsonObject[] = [
      { $snapshot_data: null },
      { $session_id: "a_b" },
      { $session_id: null },
      { $snapshot_data: "x" },
    ]
    const answer = await post(driver, [
      ...lacking.map((properties, index) => snapshot(index + 2, properties)),
      snapshot(1),
    ])
    expect([answer.status, answer.headers["x-dropped-events"]]).toEqual([200, "4"])
    expect((await driver.stored()).map(({ uuid }) => uuid)).toEqual([uuidOf(1)])
  })

  test("without a person are dropped alone", async () => {
    const driver = createInMemoryDriver()
    const answer = await post(driver, [snapshot(1, { distinct_id: null }), snapshot(2), 5])
    expect([answer.status, answer.headers["x-dropped-events"]]).toEqual([200, "2"])
    expect((await driver.stored()).map(({ uuid }) => uuid)).toEqual([uuidOf(2)])
  })
})
