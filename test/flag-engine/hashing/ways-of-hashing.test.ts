import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { createRuleCompiler } from "../../../src/flag-engine/compile/compile-rules.js"
import { evaluateFlags } from "../../../src/flag-engine/evaluate/evaluate-flags.js"
import { createPlainHashBatch } from "../../../src/flag-engine/hashing/hash-identifier.js"
import { createSimdHashing } from "../../../src/flag-engine/hashing/simd-hash-batch.js"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { documentOf, type FlagSketch, factsOf } from "../flag-builders.js"

const createSimdHashBatch = createSimdHashing()
if (createSimdHashBatch === null) throw new Error("this Node has no WebAssembly")
const compilers = [createRuleCompiler(createPlainHashBatch), createRuleCompiler(createSimdHashBatch)]
const FLAGS = 6
const COHORT = {
  id: 1,
  isStatic: false,
  filters: { properties: { type: "AND", values: [{ key: "plan", value: "a", type: "person" }] } },
}

const someValue = fc.constantFrom<Json>("a", "b", 1, ["a", "b"], "")
const filter = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ key: fc.constantFrom("plan", "role"), type: fc.constant("person"), value: someValue }),
  },
  fc.constant<Json>({ key: "plan", type: "person", operator: "is_not_set", value: "" }),
  fc.constant<Json>({ key: "id", type: "cohort", value: 1 }),
  fc.constant<Json>({ key: "size", type: "group", group_type_index: 0, value: 1 }),
  // The first flag, which is never in a circle with the others.
  fc.constant<Json>({ key: "1000", type: "flag", operator: "flag_evaluates_to", value: true }),
)
const condition = fc.record(
  {
    properties: fc.array(filter, { maxLength: 2 }),
    rollout_percentage: fc.oneof(fc.constantFrom(0, 50, 99.5, 100), fc.double({ noNaN: true, min: -1, max: 101 })),
    variant: fc.constantFrom("a", "c", "nowhere"),
  },
  { requiredKeys: ["properties"] },
)
const variants = fc.array(
  fc.record({ key: fc.constantFrom("a", "b", "c"), rollout_percentage: fc.constantFrom(0, 30, 50) }),
)
const definition = fc.record(
  {
    groups: fc.array(condition, { maxLength: 3 }),
    multivariate: fc.record({ variants }),
    payloads: fc.constant({ true: "1", a: '{"n":1}' }),
    early_exit: fc.constantFrom(false, false, true),
    holdout: fc.constant({ id: 3, exclusion_percentage: 10 }),
    aggregation_group_type_index: fc.constantFrom(null, null, 0),
  },
  { requiredKeys: ["groups"] },
)
const flag = fc.record(
  {
    filters: definition as unknown as fc.Arbitrary<Json>,
    ensure_experience_continuity: fc.constantFrom(false, false, false, true),
    bucketing_identifier: fc.constantFrom("distinct_id", "distinct_id", "distinct_id", "device_id"),
  },
  { requiredKeys: ["filters"] },
) as fc.Arbitrary<FlagSketch>
const identifier = fc.oneof(
  fc.uuid(),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ minLength: 90, maxLength: 210 }),
)
const properties = fc.record({ plan: someValue, role: someValue }, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>

describe("flags that are hashed four at a time", () => {
  test("come to what they come to hashed one by one, whatever they are and whoever asks", () => {
    fc.assert(
      fc.property(
        fc.array(flag, { minLength: 1, maxLength: FLAGS }),
        fc.array(fc.tuple(identifier, properties, fc.boolean()), { minLength: 1, maxLength: 5 }),
        (flags, callers) => {
          const document = documentOf({ flags, cohorts: [COHORT] })
          const [oneByOne, fourAtATime] = compilers.map((compiler) => compiler.compile(document))
          if (oneByOne === undefined || fourAtATime === undefined) throw new Error("nothing to compare")
          for (const [distinctId, overrides, isKnown] of callers) {
            const stored = { overrides, stored: {}, unavailable: isKnown ? null : ("timeout_error" as const) }
            const facts = factsOf({ distinct_id: distinctId, groups: { organization: "o" } }, undefined, {
              person: stored,
              deviceId: "device",
            })
            const results = evaluateFlags(fourAtATime, fourAtATime.flags, facts)
            expect(results).toEqual(evaluateFlags(oneByOne, oneByOne.flags, facts))
            // The very same objects the second time: each result is made once.
            const again = evaluateFlags(fourAtATime, fourAtATime.flags, facts)
            expect(again.every((result, index) => result === results[index])).toBe(true)
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
