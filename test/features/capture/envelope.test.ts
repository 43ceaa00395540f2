import { describe, expect, test } from "@jest/globals"
import { readEnvelope } from "../../../src/features/capture/envelope.js"
import { AppError } from "../../../src/kernel/errors.js"
import type { Json } from "../../../src/kernel/json.js"

const RULES = { queryToken: null, acceptsNamelessEvent: true }
const EVENT = { event: "e", distinct_id: "u" }

function faultOf(body: Json, rules = RULES): string {
  try {
    readEnvelope(body, rules)
  } catch (fault) {
    if (fault instanceof AppError) return fault.code
    throw fault
  }
  throw new Error("was read")
}

describe("the project key is found", () => {
  test.each<[string, Json]>([
    ["beside batch as api_key", { api_key: "phc_a", batch: [EVENT] }],
    ["beside batch as token", { token: "phc_a", batch: [EVENT] }],
    ["beside batch, whatever its events name", { api_key: "phc_a", batch: [{ ...EVENT, api_key: "phc_b" }] }],
    ["in one event as api_key", { ...EVENT, api_key: "phc_a" }],
    ["in one event as $token", { ...EVENT, $token: "phc_a" }],
    ["in the properties of one event", { ...EVENT, properties: { token: "phc_a" } }],
    ["twice, if the same", { ...EVENT, api_key: "phc_a", token: "phc_a" }],
    ["in an array of which not every item names it", [null, EVENT, { ...EVENT, properties: { token: "phc_a" } }]],
    ["with white space around it", { ...EVENT, api_key: " phc_a\n" }],
  ])("%s", (_where, body) => {
    expect(readEnvelope(body, RULES).token).toBe("phc_a")
  })

  test("in the query when the body names none, and in the body first", () => {
    const rules = { ...RULES, queryToken: "phc_q" }
    expect(readEnvelope(EVENT, rules).token).toBe("phc_q")
    expect(readEnvelope({ ...EVENT, api_key: "phc_a" }, rules).token).toBe("phc_a")
  })
})

describe("an envelope is refused", () => {
  test.each<[string, Json, string]>([
    ["without any key", EVENT, "no_project_key"],
    ["whose batch has the key in its events alone", { batch: [{ ...EVENT, api_key: "phc_a" }] }, "no_project_key"],
    ["with a null key", { ...EVENT, api_key: null }, "no_project_key"],
    ["with a key that is no text", { ...EVENT, api_key: { $gt: "" } }, "invalid_project_key"],
    ["with an empty key", { ...EVENT, api_key: "  " }, "invalid_project_key"],
    ["with a key that holds NUL", { ...EVENT, api_key: "phc_a\u0000" }, "invalid_project_key"],
    ["with a key that only looks like ASCII", { ...EVENT, api_key: "phc_Т" }, "invalid_project_key"],
    ["with a personal key", { ...EVENT, api_key: "phx_secret" }, "invalid_project_key"],
    ["with a key of 100,000 characters", { ...EVENT, api_key: "k".repeat(100_000) }, "invalid_project_key"],
    ["with two keys that differ", { ...EVENT, api_key: "phc_a", token: "phc_b" }, "invalid_project_key"],
    [
      "with events of two projects",
      [
        { ...EVENT, token: "a" },
        { ...EVENT, token: "b" },
      ],
      "invalid_project_key",
    ],
    ["that is an empty array", [], "malformed_data"],
    ["whose batch is an empty array", { api_key: "phc_a", batch: [] }, "malformed_data"],
    ["whose batch is an empty array without a key", { batch: [] }, "no_project_key"],
    ["that is a number", 1, "malformed_data"],
    ["whose batch is no array", { api_key: "phc_a", batch: { event: "e" } }, "malformed_data"],
  ])("%s", (_what, body, code) => {
    expect(faultOf(body)).toBe(code)
  })

  test("without batch and event on a path for batches only", () => {
    const body = { api_key: "phc_a", distinct_id: "u" }
    expect(readEnvelope(body, RULES).items).toEqual([body])
    expect(faultOf(body, { ...RULES, acceptsNamelessEvent: false })).toBe("malformed_data")
  })

  test("with a sentence that never repeats the key", () => {
    expect(() => readEnvelope({ ...EVENT, api_key: "phx_secret" }, RULES)).toThrow(/^(?!.*secret).*personal_api_key/)
  })
})

describe("an envelope tells", () => {
  test("when the client sent it, in either spelling", () => {
    const sent = "2026-11-21T12:00:00.000Z"
    for (const field of ["sent_at", "sentAt"])
      expect(readEnvelope({ api_key: "a", batch: [{}], [field]: sent }, RULES).sentAtMs).toBe(Date.parse(sent))
  })

  test("whether it is a historical migration, by true alone", () => {
    expect(readEnvelope({ api_key: "a", batch: [{}], historical_migration: true }, RULES).historicalMigration).toBe(
      true,
    )
    expect(readEnvelope({ api_key: "a", batch: [{}], historical_migration: "false" }, RULES).historicalMigration).toBe(
      false,
    )
  })
})
