import { describe, expect, test } from "@jest/globals"
import { withoutPersons } from "../../../../src/features/persons/deletion/without-persons.js"
import type { Json } from "../../../../src/kernel/json.js"

const NAMES = new Set(["zoë@a.test", "id-1"])
const condition = (key: string, value: Json): Json => ({
  groups: [{ properties: [{ key, type: "person", operator: "exact", value }], rollout_percentage: 100 }],
})

describe("conditions without deleted persons", () => {
  test.each([
    ["an address, in any case", condition("email", "Zoë@A.test"), condition("email", "deleted person")],
    [
      "an id in a list, whose others stay",
      condition("distinct_id", ["id-1", "id-2"]),
      condition("distinct_id", ["deleted person", "id-2"]),
    ],
    [
      "what a nested entry of the audit log says",
      { filters: { before: condition("$user_id", "id-1") } },
      { filters: { before: condition("$user_id", "deleted person") } },
    ],
  ])("lose %s", (_what, document, expected) => {
    expect(withoutPersons(document, NAMES)).toEqual(expected)
  })

  test.each([
    ["a text that only contains a name", condition("email", "zoë@a.test.example")],
    ["the value of another property", condition("country", "id-1")],
    ["a number", condition("distinct_id", 1)],
    ["a name that is no value", { key: "email", operator: "id-1", value: null }],
  ])("keep %s, and are the same document", (_what, document) => {
    expect(withoutPersons(document, NAMES)).toBe(document)
  })
})
