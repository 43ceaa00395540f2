import { describe, expect, test } from "@jest/globals"
import { isJsonObject, type Json, type JsonObject } from "../../src/kernel/json.js"
import { evaluate, factsOf, readCases, rulesOf } from "./flag-builders.js"

interface HostileDefinition {
  readonly id: string
  readonly definition: JsonObject
  readonly expect: string
}

const { entries } = readCases<{ entries: HostileDefinition[] }>("hostile-flag-definitions")
const HEALTHY = { id: 1, key: "healthy", filters: { groups: [{ properties: [], rollout_percentage: 100 }] } }
const LONG = `${"a".repeat(50_000)}!`

const propertiesOf = (filters: Json): Json[] =>
  isJsonObject(filters) && Array.isArray(filters.groups)
    ? filters.groups.flatMap((group) =>
        isJsonObject(group) && Array.isArray(group.properties) ? group.properties : [],
      )
    : []

const planted = entries.filter(({ definition }) => definition.generator === undefined)

describe("a hostile definition already stored spoils at most its own flag", () => {
  test.each(planted.map((one) => [one.id, one] as const))("%s", (_, { definition, expect: expected }) => {
    const key = String(definition.key)
    const rules = rulesOf({ flags: [{ id: 2, key, filters: definition.filters as Json }, HEALTHY] })
    const asked = propertiesOf(definition.filters as Json).map((property) => String((property as JsonObject).key))
    const facts = factsOf({ person_properties: Object.fromEntries(asked.map((name) => [name, LONG])) })
    const results = evaluate(rules, facts)
    expect(results.get("healthy")).toMatchObject({ enabled: true, error: null })
    expect(results.has(key)).toBe(true)
    const mustBeOff = expected.endsWith("false") && !isPresenceOnly(definition.filters as Json)
    if (mustBeOff) expect(results.get(key)?.enabled).toBe(false)
  })

  test("a list of 100,000 values is searched, not scanned", () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `value-${index}`)
    const filters = { groups: [{ properties: [{ key: "p", operator: "exact", value: values, type: "person" }] }] }
    const rules = rulesOf({ flags: [{ id: 2, key: "k", filters }, HEALTHY] })
    expect(evaluate(rules, factsOf({ person_properties: { p: "VALUE-99999" } })).get("k")?.enabled).toBe(true)
    expect(evaluate(rules, factsOf({ person_properties: { p: "value-100000" } })).get("k")?.enabled).toBe(false)
  })
})

/** `is_set` ignores its value, so an odd one changes nothing: the property is there. */
const isPresenceOnly = (filters: Json): boolean =>
  propertiesOf(filters).some((property) => (property as JsonObject).operator === "is_set")
