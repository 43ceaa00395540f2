import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { readDecideRequest } from "../../src/features/flags/decide/decide-request.js"
import { checkDefinition } from "../../src/features/flags/validate/check-definition.js"
import { PROPERTY_OPERATORS } from "../../src/flag-engine/operators/operators.js"
import { AppError } from "../../src/kernel/errors.js"
import type { Json, JsonObject } from "../../src/kernel/json.js"
import { evaluate, factsOf, rulesOf } from "./flag-builders.js"

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
const text = fc.constantFrom("email", "id", "toString", "1", "$initial_os", "distinct_id", "created_at")
const filter = fc.record(
  {
    key: fc.oneof(text, json),
    type: fc.oneof(fc.constantFrom("person", "group", "cohort", "flag", "person_metadata"), json),
    operator: fc.oneof(fc.constantFrom(...PROPERTY_OPERATORS, "in", "not_in", "flag_evaluates_to"), json),
    value: fc.oneof(fc.constantFrom<Json>("-1d", "1.2.*", "(a+)+$", "2024-01-01", true, 1, "1"), json),
    negation: fc.boolean(),
    group_type_index: fc.oneof(fc.constantFrom<Json>(0, 4, null), json),
  },
  { requiredKeys: [] },
)
const condition = fc.record(
  {
    properties: fc.oneof(fc.array(filter, { maxLength: 3 }), json),
    rollout_percentage: fc.oneof(fc.double({ noNaN: true, min: -1, max: 101 }), json),
    variant: fc.oneof(fc.constantFrom<Json>("a", null), json),
    aggregation_group_type_index: fc.oneof(fc.constantFrom<Json>(0, null), json),
  },
  { requiredKeys: [] },
)
const definition = fc.oneof(
  json,
  fc.record(
    {
      groups: fc.oneof(fc.array(condition, { maxLength: 3 }), json),
      super_groups: fc.oneof(fc.array(condition, { maxLength: 1 }), json),
      holdout_groups: fc.oneof(fc.array(condition, { maxLength: 1 }), json),
      multivariate: fc.oneof(fc.constant({ variants: [{ key: "a", rollout_percentage: 50 }] }), json),
      payloads: json,
      early_exit: fc.oneof(fc.boolean(), json),
      feature_enrollment: fc.oneof(fc.boolean(), json),
      holdout: json,
    },
    { requiredKeys: [] },
  ),
) as fc.Arbitrary<Json>

describe("whatever is stored as a definition", () => {
  const HEALTHY = { id: 1, key: "healthy", filters: { groups: [{ properties: [], rollout_percentage: 100 }] } }

  test("evaluates to a value or a failure, and leaves the other flags alone", () => {
    fc.assert(
      fc.property(definition, fc.dictionary(text, json), (filters, properties) => {
        const cohorts = [{ id: 1, isStatic: false, filters }]
        const rules = rulesOf({ flags: [{ id: 2, key: "odd", filters }, HEALTHY], cohorts })
        const facts = factsOf({ person_properties: properties as JsonObject, groups: { organization: "o" } })
        const results = evaluate(rules, facts)
        expect(results.get("healthy")).toMatchObject({ enabled: true, error: null })
        expect(typeof results.get("odd")?.enabled).toBe("boolean")
      }),
      { numRuns: 500 },
    )
  })

  test("is refused with a field or accepted when it is saved, and what was accepted never fails", () => {
    const nothing = { cohorts: new Map(), flags: { ids: new Set<number>(), idsByKey: new Map<string, number>() } }
    fc.assert(
      fc.property(definition, (filters) => {
        let stored: JsonObject
        try {
          stored = checkDefinition(filters, nothing)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          expect((error as AppError).details.attr).toMatch(/^filters/)
          return
        }
        const rules = rulesOf({ flags: [{ id: 2, key: "odd", filters: stored }] })
        expect(evaluate(rules, factsOf({})).get("odd")?.error).toBeNull()
      }),
      { numRuns: 500 },
    )
  })
})

describe("whatever is sent as a decision request", () => {
  test("is read or refused as a request fault", () => {
    const names = [
      "api_key",
      "distinct_id",
      "groups",
      "person_properties",
      "group_properties",
      "flag_keys",
      "evaluation_runtime",
    ]
    const body = fc.oneof(json, fc.dictionary(fc.constantFrom(...names), json))
    fc.assert(
      fc.property(body as fc.Arbitrary<Json>, (sent) => {
        try {
          expect(typeof readDecideRequest(sent, {}).token).toBe("string")
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
    )
  })
})
