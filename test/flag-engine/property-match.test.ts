import { describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../src/kernel/json.js"
import { evaluateOne, factsOf, readCases } from "./flag-builders.js"

interface PropertyCase {
  readonly id: number
  readonly property: JsonObject
  readonly properties: JsonObject
  readonly expected: boolean
  readonly team_timezone?: string
  readonly now?: string
}

/**
 * Patterns with look-around or back-references: the linear engine refuses them, so they match nothing
 * (docs/contract/flags.md#regular-expressions).
 */
const needsBacktracking = ({ property }: PropertyCase): boolean =>
  String(property.operator).endsWith("regex") && /\(\?<?[=!]|\\\d/.test(String(property.value))

const matches = (one: PropertyCase): boolean => {
  const filters: Json = { groups: [{ properties: [one.property], rollout_percentage: 100 }] }
  const nowMs = one.now === undefined ? {} : { nowMs: Date.parse(one.now) }
  const facts = factsOf({ person_properties: one.properties }, [], nowMs)
  return evaluateOne(filters, facts, { timeZone: one.team_timezone ?? "UTC" }).enabled
}

const { cases } = readCases<{ cases: PropertyCase[] }>("property-match")
const title = ({ id, property, properties }: PropertyCase): string =>
  `${id}: ${property.operator ?? "exact"} ${JSON.stringify(property.value)} on ${JSON.stringify(properties)}`

describe("a property filter decides as the server does", () => {
  test.each(cases.filter((one) => !needsBacktracking(one)).map((one) => [title(one), one] as const))("%s", (_, one) => {
    expect(matches(one)).toBe(one.expected)
  })
})

describe("a pattern that would need backtracking matches nothing", () => {
  test.each(cases.filter(needsBacktracking).map((one) => [title(one), one] as const))("%s", (_, one) => {
    expect(matches(one)).toBe(false)
  })
})
