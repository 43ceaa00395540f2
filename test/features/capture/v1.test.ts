import { describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import type { WireAnswer } from "./cases/capture-driver.js"
import { createInMemoryDriver, failingKeys, type InMemoryDriver, NOW_MS } from "./cases/in-memory-driver.js"

const NOW = new Date(NOW_MS).toISOString()
const UUID = "a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d"
const HEADERS: Readonly<Record<string, string>> = {
  Authorization: "Bearer phc_test",
  "Content-Type": "application/json",
  "User-Agent": "posthog-node/5.70.0",
  "PostHog-Sdk-Info": "posthog-node/5.70.0",
  "PostHog-Attempt": "1",
  "PostHog-Request-Id": "00000000-0000-0000-0000-000000000001",
  "PostHog-Request-Timestamp": NOW,
}
const event = (fields: JsonObject = {}): JsonObject => ({
  event: "$pageview",
  uuid: UUID,
  distinct_id: "u",
  timestamp: NOW,
  properties: {},
  ...fields,
})
const bodyOf = (...batch: Json[]): JsonObject => ({ created_at: NOW, batch })

function post(driver: InMemoryDriver, json: Json, headers: Record<string, string> = {}): Promise<WireAnswer> {
  const body = Buffer.from(JSON.stringify(json))
  return driver.send({ method: "POST", url: "/i/v1/analytics/events", headers: { ...HEADERS, ...headers }, body })
}

const errorOf = ({ status, text }: WireAnswer): [number, string] => [status, JSON.parse(text).error]
const resultOf = ({ text }: WireAnswer): Json => JSON.parse(text).results[UUID]

describe("a v1 request", () => {
  test("is answered with a result for each event", async () => {
    const driver = createInMemoryDriver()
    const other = "b1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d"
    const answer = await post(driver, bodyOf(event(), event({ uuid: other, event: "" })))
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { results: { [UUID]: { result: "ok" }, [other]: { result: "drop", details: "missing_event_name" } } },
    ])
    expect(driver.warnings).toMatchObject([{ severity: "dropped", reason: "missing_event_name", uuid: other }])
  })

  test("has its options and headers written back into the properties", async () => {
    const driver = createInMemoryDriver()
    const options = { process_person_profile: false, disable_skew_correction: true, unheard_of: 1 }
    await post(
      driver,
      bodyOf(event({ session_id: "s", window_id: "w", options, properties: { a: 1, $lib: "forged" } })),
    )
    expect((await driver.stored())[0]?.properties).toEqual({
      a: 1,
      $lib: "posthog-node",
      $lib_version: "5.70.0",
      $session_id: "s",
      $window_id: "w",
      $process_person_profile: false,
      $ignore_sent_at: true,
    })
  })

  test.each<[string, JsonObject, string]>([
    ["name is too long", { event: "n".repeat(201) }, "event_name_too_long"],
    ["distinct id is missing", { distinct_id: null }, "missing_distinct_id"],
    ["distinct id is too long", { distinct_id: "€".repeat(100) }, "distinct_id_too_large"],
    ["timestamp has no zone", { timestamp: "2026-11-21T12:00:00" }, "invalid_event_timestamp"],
    ["properties are an array", { properties: [] }, "malformed_event_properties"],
    ["options are of the wrong kind", { options: { cookieless_mode: "yes" } }, "invalid_options"],
    ["size is more than a megabyte", { properties: { a: "x".repeat(1_000_000) } }, "event_too_big"],
    ["name is that of old performance snapshots", { event: "$performance_event" }, "rejected"],
  ])("drops only the event whose %s", async (_what, fields, details) => {
    const driver = createInMemoryDriver()
    const answer = await post(driver, bodyOf(event(fields)))
    expect([answer.status, resultOf(answer)]).toEqual([200, { result: "drop", details }])
    expect(await driver.stored()).toEqual([])
  })

  test.each(["anonymous", " Guest ", "0", "[object Object]", "backend"])(
    "keeps an event of %j, who is nobody in particular, without a person, and says so",
    async (distinct_id) => {
      const driver = createInMemoryDriver()
      const answer = await post(driver, bodyOf(event({ distinct_id, options: { process_person_profile: true } })))
      expect(resultOf(answer)).toEqual({ result: "warning", details: "person_processing_disabled" })
      expect(await driver.stored()).toMatchObject([
        { distinctId: distinct_id, properties: { $process_person_profile: false } },
      ])
      expect(driver.warnings).toMatchObject([{ severity: "changed", reason: "person_processing_disabled", uuid: UUID }])
    },
  )

  test.each<[string, Json, string]>([
    ["that is no object", [], "invalid_body"],
    ["without created_at", { batch: [event()] }, "invalid_created_at"],
    ["without events", bodyOf(), "empty_batch"],
    ["with an event without uuid", bodyOf(event({ uuid: "" })), "missing_event_uuid"],
    ["with an event whose uuid is none", bodyOf(event({ uuid: "x" })), "invalid_event_uuid"],
    ["with one uuid twice", bodyOf(event(), event({ uuid: UUID.toUpperCase() })), "duplicate_event_uuid"],
  ])("is refused as a whole %s", async (_what, body, error) => {
    expect(errorOf(await post(createInMemoryDriver(), body))).toEqual([400, error])
  })

  test("is refused with the names of all headers that are missing", async () => {
    const driver = createInMemoryDriver()
    const answer = await driver.send({
      method: "POST",
      url: "/i/v1/analytics/events/",
      headers: {},
      body: Buffer.alloc(0),
    })
    expect(errorOf(answer)).toEqual([400, "missing_required_headers"])
    expect(JSON.parse(answer.text).error_description).toMatch(/authorization.*posthog-request-timestamp/)
  })

  test("is refused with 401 for a wrong key, and with 503 and a time to retry after when keys cannot be looked up", async () => {
    const wrong = await post(createInMemoryDriver(), bodyOf(event()), { Authorization: "bearer phc_nobody" })
    expect(errorOf(wrong)).toEqual([401, "invalid_api_key"])
    const failed = await post(createInMemoryDriver(failingKeys), bodyOf(event()))
    expect([errorOf(failed), failed.headers["retry-after"]]).toEqual([[503, "store_unavailable"], "5"])
  })
})
