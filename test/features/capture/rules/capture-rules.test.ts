import { describe, expect, test } from "@jest/globals"
import { CAPTURE_SETTING_CHECKS } from "../../../../src/features/capture/index.js"
import { readCaptureRules } from "../../../../src/features/capture/rules/read-capture-rules.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { createInMemoryDriver, keysWithSettings, NOW_MS } from "../cases/in-memory-driver.js"

const LATER = new Date(NOW_MS + 1).toISOString()
const NOW = new Date(NOW_MS).toISOString()

const post = (url: string, body: Json, headers: Record<string, string> = {}) => ({
  method: "POST",
  url,
  body: Buffer.from(JSON.stringify(body)),
  headers: { "Content-Type": "application/json", ...headers },
})

/** Sends events under settings; answers the status line and what was stored. */
async function capture(settings: JsonObject, batch: readonly Json[]) {
  const driver = createInMemoryDriver(keysWithSettings(settings))
  const { status, headers, text } = await driver.send(post("/batch/", { api_key: "phc_test", batch: [...batch] }))
  const stored = await driver.stored()
  const warnings = driver.warnings.map(({ reason, event }) => [reason, event])
  return {
    status,
    text,
    dropped: headers["x-dropped-events"],
    stored: stored.map(({ event }) => event),
    events: stored,
    warnings,
  }
}

const sent = (event: string, properties: JsonObject = {}): JsonObject => ({ event, distinct_id: "u", properties })
const ALL = [
  sent("plain"),
  sent("$exception"),
  sent("survey sent"),
  sent("survey shown", { $product_tour_id: "t" }),
  sent("$ai_generation"),
]

describe("a quota that is used up", () => {
  test.each<[resource: string, stored: string[]]>([
    ["events", []],
    ["exceptions", ["plain", "survey sent", "survey shown", "$ai_generation"]],
    ["surveys", ["plain", "$exception", "survey shown", "$ai_generation"]],
    ["llm_events", ["plain", "$exception", "survey sent", "survey shown"]],
    ["recordings", ["plain", "$exception", "survey sent", "survey shown", "$ai_generation"]],
  ])("of %s leaves out only what counts against it, and answers 200 all the same", async (resource, expected) => {
    const { status, text, dropped, stored } = await capture({ quota_limits: { [resource]: LATER } }, ALL)
    const count = ALL.length - expected.length
    expect([status, text, dropped]).toEqual([200, '{"status":"Ok"}', count === 0 ? undefined : String(count)])
    expect(stored).toEqual(expected)
  })

  test("is told as a warning, so that nobody wonders where events went", async () => {
    expect((await capture({ quota_limits: { events: LATER } }, [sent("plain")])).warnings).toEqual([
      ["quota_exceeded", "plain"],
    ])
  })

  test("of recordings counts however many snapshots come among events", async () => {
    const snapshots = Array.from({ length: 150_000 }, (): Json => ({ event: "$snapshot" }))
    const { status, dropped, stored } = await capture({ quota_limits: { recordings: LATER } }, [
      sent("plain"),
      ...snapshots,
    ])
    expect([status, dropped, stored]).toEqual([200, "150000", ["plain"]])
  })

  test("ends at its time", async () => {
    expect((await capture({ quota_limits: { events: NOW } }, [sent("plain")])).stored).toEqual(["plain"])
  })

  test("of recordings makes replay clients pause, before a snapshot is looked at", async () => {
    const driver = createInMemoryDriver(keysWithSettings({ quota_limits: { recordings: LATER } }))
    const body = [{ api_key: "phc_test", event: "$snapshot", distinct_id: "u", properties: {} }]
    expect(await driver.send(post("/s/", body))).toMatchObject({
      status: 200,
      text: '{"status":"Ok","quota_limited":["recordings"]}',
    })
    expect(await driver.send(post("/s/?beacon=1", body))).toMatchObject({ status: 204, text: "" })
    expect(await driver.stored()).toEqual([])
  })

  test("is told to v1 clients event by event", async () => {
    const driver = createInMemoryDriver(keysWithSettings({ quota_limits: { exceptions: LATER } }))
    const uuids = ["a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d", "a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5e"] as const
    const batch = ["plain", "$exception"].map((event, at) => ({
      event,
      uuid: uuids[at] as string,
      distinct_id: "u",
      timestamp: NOW,
      options: {},
      properties: {},
    }))
    const { text } = await driver.send(
      post(
        "/i/v1/analytics/events",
        { created_at: NOW, batch },
        {
          Authorization: "Bearer phc_test",
          "User-Agent": "t/1",
          "PostHog-Sdk-Info": "posthog-rs/1.0.0",
          "PostHog-Attempt": "1",
          "PostHog-Request-Id": "00000000-0000-0000-0000-000000000001",
          "PostHog-Request-Timestamp": NOW,
        },
      ),
    )
    expect(JSON.parse(text).results).toEqual({
      [uuids[0]]: { result: "ok" },
      [uuids[1]]: { result: "drop", details: "exceptions_over_quota" },
    })
  })
})

describe("a restriction", () => {
  const DROP = "drop_event_from_ingestion"
  const EVENTS: readonly JsonObject[] = [
    { event: "a", distinct_id: "one", uuid: "0198f7c0-0000-7000-8000-00000000000a", properties: { $session_id: "s1" } },
    { event: "b", distinct_id: "one", properties: { $session_id: "s2" } },
    { event: "a", distinct_id: "two", properties: { $session_id: "0198f7c0-0000-7000-8000-0000000000ab" } },
  ]

  test.each<[restriction: JsonObject, stored: string[]]>([
    [{}, []],
    [{ distinct_ids: ["one"] }, ["a two"]],
    [{ distinct_ids: ["one", "two"] }, []],
    [{ event_names: ["a"] }, ["b one"]],
    [{ distinct_ids: ["one"], event_names: ["a"] }, ["b one", "a two"]],
    [{ session_ids: ["s2"] }, ["a one", "a two"]],
    [{ event_uuids: ["0198f7c0-0000-7000-8000-00000000000a"] }, ["b one", "a two"]],
    [{ event_uuids: ["0198F7C0-0000-7000-8000-00000000000A"] }, ["b one", "a two"]],
    [{ session_ids: ["0198F7C0-0000-7000-8000-0000000000AB"] }, ["a one", "b one"]],
    [{ pipelines: ["session_recordings"] }, ["a one", "b one", "a two"]],
    [{ distinct_ids: ["ONE"] }, ["a one", "b one", "a two"]],
  ])("%j drops the events that are in each of its lists", async (restriction, expected) => {
    const { events, status } = await capture({ capture_restrictions: [{ type: DROP, ...restriction }] }, EVENTS)
    expect(status).toBe(200)
    expect(events.map(({ event, distinctId }) => `${event} ${distinctId}`)).toEqual(expected)
  })

  test("of person processing keeps the event and makes it one without a profile", async () => {
    const settings = { capture_restrictions: [{ type: "skip_person_processing", event_names: ["a"] }] }
    const { events } = await capture(settings, EVENTS)
    expect(events.map(({ properties }) => properties.$process_person_profile)).toEqual([false, undefined, false])
  })

  test("that drops wins over every other one", async () => {
    const restrictions: JsonObject[] = [{ type: "skip_person_processing" }, { type: DROP, distinct_ids: ["one"] }]
    const settings = { capture_restrictions: restrictions }
    expect((await capture(settings, EVENTS)).stored).toEqual(["a"])
  })

  test.each<[restriction: JsonObject]>([
    [{ distinct_ids: ["23"] }],
    [{ session_ids: ["0198f7c0-0000-7000-8000-0000000000ab"] }],
    [{ event_uuids: ["0198f7c0-0000-7000-8000-00000000000a"] }],
  ])("%j on recordings knows its messages however clients write them", async (lists) => {
    const driver = createInMemoryDriver(keysWithSettings({ capture_restrictions: [{ type: DROP, ...lists }] }))
    const message = {
      api_key: "phc_test",
      event: "$snapshot",
      distinct_id: 23,
      uuid: "0198F7C000007000800000000000000A",
      properties: { $session_id: "0198F7C0-0000-7000-8000-0000000000AB", $snapshot_data: [] },
    }
    expect((await driver.send(post("/s/", [message]))).headers["x-dropped-events"]).toBe("1")
    expect(await driver.stored()).toEqual([])
  })

  test("on recordings drops the snapshots of its sessions and people, and keeps the others of the request", async () => {
    const restriction = { type: DROP, pipelines: ["session_recordings"], session_ids: ["s1"] }
    const driver = createInMemoryDriver(keysWithSettings({ capture_restrictions: [restriction] }))
    const snapshot = ($session_id: string) => ({
      api_key: "phc_test",
      event: "$snapshot",
      distinct_id: "u",
      properties: { $session_id, $snapshot_data: [] },
    })
    const answer = await driver.send(post("/s/", [snapshot("s1"), snapshot("s2")]))
    expect([answer.status, answer.headers["x-dropped-events"]]).toEqual([200, "1"])
    expect((await driver.stored()).map(({ properties }) => properties.$session_id)).toEqual(["s2"])
  })
})

describe("settings of capture", () => {
  test.each<[setting: string, value: Json, rule: string]>([
    ["quota_limits", [], "must be an object"],
    ["quota_limits", { pizza: LATER }, 'does not know "pizza"'],
    ["quota_limits", { events: "soon" }, 'needs an ISO 8601 time with its zone for "events"'],
    ["quota_limits", { events: "1764547200" }, 'with its zone for "events"'],
    ["quota_limits", { events: "2026-12-01T00:00:00" }, 'with its zone for "events"'],
    ["quota_limits", { events: true }, 'needs an ISO 8601 time with its zone for "events"'],
    ["capture_restrictions", {}, "must be a list"],
    ["capture_restrictions", ["x"], "must hold objects"],
    ["capture_restrictions", [{}], "needs a type"],
    ["capture_restrictions", [{ type: "force_overflow_from_ingestion" }], "needs a type"],
    ["capture_restrictions", [{ type: "drop_event_from_ingestion", person: ["x"] }], 'does not know "person"'],
    ["capture_restrictions", [{ type: "drop_event_from_ingestion", distinct_ids: "x" }], 'texts as "distinct_ids"'],
    ["capture_restrictions", [{ type: "drop_event_from_ingestion", pipelines: ["x"] }], "knows the pipelines"],
    ["capture_restrictions", Array(101).fill(0), "no more than 100"],
  ])("%s %j is refused with the rule", (setting, value, rule) => {
    expect(() => CAPTURE_SETTING_CHECKS[setting]?.(value)).toThrow(rule)
  })

  test("that cannot be read, written before they were checked, hold nothing up", async () => {
    expect(readCaptureRules({ quota_limits: 7, capture_restrictions: [{ type: "skip_person_processing" }] })).toEqual({
      limitedUntilMs: new Map(),
      restrictions: [expect.objectContaining({ type: "skip_person_processing" })],
      retentionDays: null,
    })
    expect((await capture({ capture_restrictions: "all" }, [sent("plain")])).stored).toEqual(["plain"])
  })
})

describe("retention", () => {
  const at = (event: string, ms: number): JsonObject => ({ ...sent(event), timestamp: new Date(ms).toISOString() })
  const END_MS = NOW_MS - 7 * 86_400_000

  test("drops an event that is older than what the project keeps, with a warning", async () => {
    const batch = [at("late", END_MS - 1), at("last", END_MS), sent("now")]
    const { status, stored, warnings } = await capture({ event_retention_days: 7 }, batch)
    expect([status, stored]).toEqual([200, ["last", "now"]])
    expect(warnings).toEqual([["older_than_retention", "late"]])
  })

  test.each([[{}], [{ event_retention_days: 0 }]])("keeps all under %j", async (settings) => {
    expect((await capture(settings, [at("ancient", 0)])).stored).toEqual(["ancient"])
  })

  test.each([[-1], [1.5], ["7"], [36_501], [true]])("refuses %j on saving", (value) => {
    expect(() => CAPTURE_SETTING_CHECKS.event_retention_days?.(value)).toThrow("event_retention_days")
  })
})
