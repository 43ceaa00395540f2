import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import type { AcceptedEvent } from "../../../src/features/capture/index.js"
import type { DropReason, WarningReason } from "../../../src/features/capture/reasons.types.js"
import { CAPTURE_STEPS, runSteps } from "../../../src/features/capture/steps/index.js"
import { isUuid } from "../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { NOW_MS } from "./cases/in-memory-driver.js"

const CONTEXT = {
  receivedAtMs: NOW_MS,
  sentAtMs: null,
  historicalMigration: false,
  defaultEventName: null,
  newUuid: () => "00000000-0000-7000-8000-000000000001",
}
const GOOD = { event: "größe geändert", distinct_id: "用户" }

const keep = (item: JsonObject): AcceptedEvent & { warnings: readonly WarningReason[] } => {
  const result = runSteps({ ...GOOD, ...item }, CONTEXT)
  if (result.kept === null) throw new Error(`dropped: ${result.reason}`)
  return { ...result.kept, warnings: result.warnings }
}

const reasonOf = (item: Json): DropReason | null => {
  const result = runSteps(item, CONTEXT)
  return result.kept === null ? result.reason : null
}

describe("an event is dropped", () => {
  const dropped: readonly [string, DropReason, Json][] = [
    ["that is no object", "not_an_object", ["e"]],
    ["that has no name", "missing_event_name", { distinct_id: "u" }],
    ["whose name is blank", "missing_event_name", { ...GOOD, event: "  " }],
    ["whose name is no text", "missing_event_name", { ...GOOD, event: 5 }],
    ["that old clients send for page performance", "performance_event", { ...GOOD, event: "$performance_event" }],
    ["that is named as recordings are in the log", "reserved_event_name", { ...GOOD, event: "$snapshot_items" }],
    ["that is a warning by a client", "client_ingestion_warning", { ...GOOD, event: "$$client_ingestion_warning" }],
    ["whose properties are no object", "invalid_properties", { ...GOOD, properties: "{}" }],
    ["that has no distinct id", "missing_distinct_id", { event: "e", properties: { distinct_id: null } }],
    ["whose distinct id is blank", "missing_distinct_id", { ...GOOD, distinct_id: "\t\n" }],
    ["whose distinct id is an array", "invalid_distinct_id", { ...GOOD, distinct_id: ["a"] }],
    ["whose uuid is malformed", "invalid_uuid", { ...GOOD, uuid: "not-a-uuid" }],
    [
      "whose cookieless mode is no boolean",
      "invalid_cookieless_mode",
      { ...GOOD, properties: { $cookieless_mode: "yes" } },
    ],
    [
      "that is larger than a megabyte",
      "message_size_too_large",
      { ...GOOD, properties: { text: "é".repeat(500_001) } },
    ],
  ]
  test.each(dropped)("%s: %s", (_what, reason, item) => {
    expect(reasonOf(item)).toBe(reason)
  })

  test("by the first step that objects, in the order of the list", () => {
    expect(CAPTURE_STEPS.map(({ name }) => name)).toEqual([
      "requireName",
      "dropByName",
      "readProperties",
      "requireDistinctId",
      "assignUuid",
      "checkCookielessMode",
      "mergeTopLevel",
      "hideInternalAddress",
      "discardAddress",
      "lowerSessionId",
      "resolveTimestamp",
      "requireCookielessVisit",
      "replaceUnstorableText",
      "limitSize",
    ])
  })
})

describe("who the event is about", () => {
  test.each([
    ["a number", { distinct_id: 23.4 }, "23.4"],
    ["a boolean", { distinct_id: false }, "false"],
    ["the top level before the properties", { distinct_id: 23, properties: { distinct_id: "myid" } }, "23"],
    [
      "the properties when the top level has null, as PHP writes it",
      { distinct_id: null, properties: { distinct_id: "u" } },
      "u",
    ],
    ["$distinct_id", { distinct_id: null, $distinct_id: "u" }, "u"],
    ["spaces around it", { distinct_id: "  hello  " }, "  hello  "],
    ["NUL as U+FFFD", { distinct_id: "a\u0000b" }, "a\uFFFDb"],
  ])("is read from %s", (_what, item, expected) => {
    expect(keep(item).distinctId).toBe(expected)
  })

  test("is cut to 200 characters, not bytes, with a warning", () => {
    expect(keep({ distinct_id: "€".repeat(200) })).toMatchObject({ distinctId: "€".repeat(200), warnings: [] })
    expect(keep({ distinct_id: "😀".repeat(300) })).toMatchObject({
      distinctId: "😀".repeat(200),
      warnings: ["distinct_id_cut"],
    })
  })
})

describe("the uuid of an event", () => {
  test.each([
    ["is made small", "0198F0A0-0000-7000-8000-00000000000A", "0198f0a0-0000-7000-8000-00000000000a"],
    ["may be written without dashes", "0198f0a00000700080000000000000aa", "0198f0a0-0000-7000-8000-0000000000aa"],
    ["is made when it is empty", "", CONTEXT.newUuid()],
    ["is made when it is null", null, CONTEXT.newUuid()],
    ["is made when it is nil", "00000000-0000-0000-0000-000000000000", CONTEXT.newUuid()],
  ])("%s", (_what, uuid, expected) => {
    expect(keep({ uuid }).uuid).toBe(expected)
  })

  // posthog-js 1.0.6 to 1.57.4: no uuid, and the same 16 characters each time that the event is sent.
  test("is the same for a retry that has only $insert_id to be told by, and another for any other event", () => {
    const sent = (insertId: Json, fields: JsonObject = {}) =>
      keep({ properties: { $insert_id: insertId, token: "phc_x" }, ...fields }).uuid
    const uuid = sent("hni55r8nc78apmy0")
    expect(isUuid(uuid)).toBe(true)
    expect(sent("hni55r8nc78apmy0", { offset: 3021 })).toBe(uuid)
    const differences: JsonObject[] = [{ distinct_id: "v" }, { event: "e" }, { timestamp: "2026-11-21T12:00:00Z" }]
    const others = differences.map((fields) => sent("hni55r8nc78apmy0", fields))
    const atAnotherTime = keep({ properties: { $insert_id: "hni55r8nc78apmy0", $time: 1_763_000_000.5 } }).uuid
    expect(new Set([uuid, sent("cxx2a6v804uigc4p"), atAnotherTime, ...others]).size).toBe(6)
    for (const none of ["", null, 7]) expect(sent(none)).toBe(CONTEXT.newUuid())
    const given = "0198f0a0-0000-7000-8000-00000000000a"
    expect(sent("hni55r8nc78apmy0", { uuid: given })).toBe(given)
  })
})

describe("what stands beside the properties", () => {
  test("is merged into them, and wins per key", () => {
    const { properties } = keep({
      $set: { a: 1, b: 1 },
      $set_once: { c: 1 },
      $unset: ["x"],
      properties: { $set: { a: 0, z: 0 }, $unset: { y: true } },
    })
    expect(properties).toEqual({ $set: { a: 1, b: 1, z: 0 }, $set_once: { c: 1 }, $unset: ["y", "x"] })
  })

  test("does not replace group fields that the properties have", () => {
    const { properties } = keep({
      $groups: { company: "a" },
      $group_type: "t",
      properties: { $groups: { company: "b" } },
    })
    expect(properties).toEqual({ $groups: { company: "b" }, $group_type: "t" })
  })

  test("is ignored when it is of the wrong kind, with a warning unless it is PHP's empty map", () => {
    expect(keep({ $set: "x" })).toMatchObject({ properties: {}, warnings: ["ignored_invalid_person_properties"] })
    expect(keep({ $set: [] })).toMatchObject({ properties: {}, warnings: [] })
  })
})

describe("properties are stored as they came, except that", () => {
  test("PHP's empty map and null stand for none", () => {
    expect(keep({ properties: [] }).properties).toEqual({})
    expect(keep({ properties: null }).properties).toEqual({})
  })

  test("NUL and lone surrogates become U+FFFD in keys and values, with a warning", () => {
    const { properties, warnings } = keep({ properties: { "a\u0000": ["\ud800"], literal: "\\u0000" } })
    expect(properties).toEqual({ "a\uFFFD": ["\uFFFD"], literal: "\\u0000" })
    expect(warnings).toEqual(["unstorable_text_replaced"])
  })

  test("a session id that is a UUID is written small", () => {
    const $session_id = "0198F0A0-0000-7000-8000-00000000000A"
    expect(keep({ properties: { $session_id } }).properties).toEqual({ $session_id: $session_id.toLowerCase() })
    expect(keep({ properties: { $session_id: "Session-1" } }).properties).toEqual({ $session_id: "Session-1" })
  })

  test("an event of the service itself gets the loopback address, unless it names one", () => {
    expect(keep({ properties: { capture_internal: true } }).properties.$ip).toBe("127.0.0.1")
    expect(keep({ properties: { capture_internal: true, $ip: "1.2.3.4" } }).properties.$ip).toBe("1.2.3.4")
  })

  test("__proto__ stays an ordinary key through every merge", () => {
    const properties = JSON.parse('{"__proto__":{"admin":true},"a":"\\u0000"}')
    const kept = keep({ properties, $set: JSON.parse('{"__proto__":{"admin":true}}') })
    expect(JSON.stringify(kept.properties)).toBe(
      '{"__proto__":{"admin":true},"a":"\uFFFD","$set":{"__proto__":{"admin":true}}}',
    )
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})

describe("what is known of the text that an event was read from", () => {
  const readFrom = (text: string) => {
    const json = JSON.parse(text)
    const bytes = Buffer.from(text)
    const known = { json, bytes, hasUnicodeEscapes: text.includes("\\u"), hasOnlyFiniteNumbers: true }
    return runSteps(json, { ...CONTEXT, text: known })
  }

  test("spares work and changes nothing", () => {
    const textOfAnyUnits = fc.string({ unit: fc.integer({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
    const value = fc.oneof(fc.jsonValue(), textOfAnyUnits)
    const item = fc.record({
      event: fc.constantFrom("e", "\u0000e"),
      distinct_id: fc.constantFrom("u", "\ud800"),
      properties: fc.dictionary(textOfAnyUnits, value),
      $set: fc.dictionary(textOfAnyUnits, value),
    })
    fc.assert(
      fc.property(item, (given) => {
        const text = JSON.stringify(given)
        expect(readFrom(text)).toEqual(runSteps(JSON.parse(text), CONTEXT))
      }),
    )
  })

  test("does not let numbers pass that are larger than a megabyte once they are written out", () => {
    const numbers = Array.from({ length: 50_000 }, () => "1e20").join(",")
    const result = readFrom(`{"event":"e","distinct_id":"u","properties":{"numbers":[${numbers}]}}`)
    expect(result).toMatchObject({ kept: null, reason: "message_size_too_large" })
  })
})

test("an event of a megabyte to the byte is kept", () => {
  const ofBytes = (bytes: number) => ({ ...GOOD, properties: { text: "n".repeat(bytes - '{"text":""}'.length) } })
  expect(runSteps(ofBytes(1_000_000), CONTEXT).kept).not.toBeNull()
  expect(reasonOf(ofBytes(1_000_001))).toBe("message_size_too_large")
})

test("a name is cut to 200 characters with a warning", () => {
  expect(keep({ event: "n".repeat(201) })).toMatchObject({ event: "n".repeat(200), warnings: ["event_name_cut"] })
})

test("an event without a name gets the default name of its path", () => {
  const result = runSteps({ distinct_id: "u", $set: { a: 1 } }, { ...CONTEXT, defaultEventName: "$identify" })
  expect(result.kept).toMatchObject({ event: "$identify", properties: { $set: { a: 1 } } })
})
