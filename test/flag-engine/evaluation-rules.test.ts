import { describe, expect, test } from "@jest/globals"
import type { Json } from "../../src/kernel/json.js"
import { evaluate, evaluateOne, factsOf, rulesOf } from "./flag-builders.js"

const everybody = { properties: [], rollout_percentage: 100 }
const halves = {
  variants: [
    { key: "control", rollout_percentage: 50 },
    { key: "test", rollout_percentage: 50 },
  ],
}
const inCohort = (value: Json, operator = "in"): Json => ({ key: "id", type: "cohort", operator, value })
const person = (key: string, value: Json, operator = "exact"): Json => ({ key, type: "person", operator, value })
const groups = (...properties: Json[]): Json => ({ groups: [{ properties, rollout_percentage: 100 }] })

describe("enrolment", () => {
  const filters = { groups: [everybody], feature_enrollment: true, payloads: { true: "1" } }
  const enrolled = (value: Json) =>
    evaluateOne(filters, factsOf({ person_properties: { "$feature_enrollment/k": value } }))

  test("decides alone once the person has enrolled or left", () => {
    expect(enrolled("true")).toMatchObject({
      enabled: true,
      reason: "super_condition_value",
      conditionIndex: 0,
      payload: "1",
    })
    expect(enrolled(true).enabled).toBe(true)
    expect(enrolled("false")).toMatchObject({ enabled: false, reason: "super_condition_value", conditionIndex: 0 })
    for (const other of [null, "TRUE", "yes", 1, [true]]) expect(enrolled(other).enabled).toBe(false)
  })

  test("is passed over for a person who never decided", () => {
    expect(evaluateOne(filters, factsOf({})).reason).toBe("condition_match")
  })

  test("in its older form decides only for persons who have its property", () => {
    const older = {
      groups: [everybody],
      super_groups: [{ properties: [person("beta", ["true"])], rollout_percentage: 100 }],
    }
    expect(evaluateOne(older, factsOf({})).reason).toBe("condition_match")
    expect(evaluateOne(older, factsOf({ person_properties: { beta: "no" } }))).toMatchObject({
      enabled: false,
      reason: "super_condition_value",
    })
  })
})

describe("a flag with conditions on persons and on groups", () => {
  const filters = {
    groups: [
      { ...everybody, aggregation_group_type_index: 0 },
      { properties: [person("plan", "team")], aggregation_group_type_index: null },
    ],
  }

  test("says that groups were skipped when the request names none and no other condition matches", () => {
    const off = evaluateOne(filters, factsOf({}))
    expect(off).toMatchObject({ enabled: false, reason: "no_condition_match", conditionIndex: 1 })
    expect(off.description).toMatch(/^No matching condition set; .*groups were skipped/)
  })

  test("says nothing of them when a condition matches, or when the group was named", () => {
    const on = evaluateOne(filters, factsOf({ person_properties: { plan: "team" } }))
    expect(on.description).toBe("Matched condition set 2")
    const alone = evaluateOne(groups(person("plan", "team")), factsOf({}))
    expect(alone.description).toBe("No matching condition set")
  })
})

describe("holdouts", () => {
  test("in their older form serve their own variant, a hashed one, or holdout", () => {
    const older = (variant: string | undefined, multivariate?: Json) => ({
      groups: [everybody],
      holdout_groups: [{ properties: [], rollout_percentage: 100, ...(variant ? { variant } : {}) }],
      ...(multivariate ? { multivariate } : {}),
    })
    expect(evaluateOne(older("holdout-3"), factsOf({})).variant).toBe("holdout-3")
    expect(evaluateOne(older(undefined), factsOf({})).variant).toBe("holdout")
    expect(["control", "test"]).toContain(evaluateOne(older(undefined, halves), factsOf({})).variant)
  })
})

describe("variants", () => {
  test("a condition's variant is served when it is declared and hashed otherwise", () => {
    const forced = (variant: string): Json => ({ groups: [{ ...everybody, variant }], multivariate: halves })
    expect(evaluateOne(forced("test"), factsOf({})).variant).toBe("test")
    expect(["control", "test"]).toContain(evaluateOne(forced("gone"), factsOf({})).variant)
  })

  test("shares below 100 leave the rest on without a variant", () => {
    const filters = { groups: [everybody], multivariate: { variants: [{ key: "rare", rollout_percentage: 0 }] } }
    expect(evaluateOne(filters, factsOf({}))).toMatchObject({ enabled: true, variant: null })
  })
})

describe("device bucketing", () => {
  const rules = rulesOf({ flags: [{ key: "k", filters: { groups: [everybody] }, bucketing_identifier: "device_id" }] })

  test("skips the condition without a device, even at 100 %", () => {
    expect(evaluate(rules, factsOf({})).get("k")).toMatchObject({ enabled: false, reason: "out_of_rollout_bound" })
    expect(evaluate(rules, factsOf({}, [], { deviceId: "d" })).get("k")?.enabled).toBe(true)
  })
})

describe("experience continuity", () => {
  const filters = { groups: [everybody], multivariate: halves }
  const variantFor = (continuity: boolean, facts: Parameters<typeof evaluate>[1]) =>
    evaluate(rulesOf({ flags: [{ key: "k", filters, ensure_experience_continuity: continuity }] }), facts).get("k")
  const asUser = (distinct_id: string) => variantFor(false, factsOf({ distinct_id }))?.variant

  test("prefers the stored hash key, then the anonymous id, then the distinct id", () => {
    const facts = { anonymousDistinctId: "anon" }
    expect(variantFor(true, factsOf({}, [], { ...facts, hashKeys: new Map([["k", "first"]]) }))?.variant).toBe(
      asUser("first"),
    )
    expect(variantFor(true, factsOf({}, [], facts))?.variant).toBe(asUser("anon"))
    expect(variantFor(true, factsOf({ distinct_id: "me" }))?.variant).toBe(asUser("me"))
    expect(variantFor(false, factsOf({ distinct_id: "me" }, [], facts))?.variant).toBe(asUser("me"))
  })

  test("fails when the stored hash keys are not known", () => {
    const facts = factsOf({}, [], { hashKeys: "hash_key_override_error" })
    expect(variantFor(true, facts)).toMatchObject({ enabled: false, error: "hash_key_override_error" })
    expect(variantFor(false, facts)?.error).toBeNull()
  })
})

describe("cohorts", () => {
  const paying = {
    id: 5,
    isStatic: false,
    filters: { properties: { type: "OR", values: [{ type: "AND", values: [person("plan", "pro")] }] } },
  }
  const listed = { id: 6, isStatic: true, filters: null }
  const both = {
    id: 7,
    isStatic: false,
    filters: { properties: { type: "AND", values: [inCohort(5), { ...(inCohort(6) as object), negation: true }] } },
  }
  const pro = factsOf({ person_properties: { plan: "pro" } })
  const cohorts = [paying, listed, both]
  const enabled = (filter: Json, facts = pro) => evaluateOne(groups(filter), facts, { cohorts })

  test("dynamic cohorts are decided from person properties", () => {
    expect(enabled(inCohort(5)).enabled).toBe(true)
    expect(enabled(inCohort("5")).enabled).toBe(true)
    expect(enabled(inCohort(5, "not_in")).enabled).toBe(false)
    expect(enabled(inCohort(5), factsOf({})).enabled).toBe(false)
    expect(enabled(inCohort(5, "exact")).enabled).toBe(false)
  })

  test("static cohorts are decided by membership, and nested ones with negation", () => {
    const member = { ...pro, staticCohortIds: new Set([6]) }
    expect(enabled(inCohort(6)).enabled).toBe(false)
    expect(enabled(inCohort(6), member).enabled).toBe(true)
    expect(enabled(inCohort(7)).enabled).toBe(true)
    expect(enabled(inCohort(7), member).enabled).toBe(false)
  })

  test("a cohort that does not exist, or a circle of cohorts, makes the flag fail", () => {
    expect(enabled(inCohort(99)).error).toBe("dependency_not_found_cohort")
    const ring = [1, 2].map((id) => ({
      id,
      isStatic: false,
      filters: { properties: { type: "AND", values: [inCohort(3 - id)] } },
    }))
    expect(evaluateOne(groups(inCohort(1)), pro, { cohorts: ring }).error).toBe("dependency_cycle_cohort")
  })

  test.each([undefined, null, "x", {}])(
    "a damaged list of conditions (%p) takes in nobody: the flag fails",
    (values) => {
      const damaged = {
        id: 8,
        isStatic: false,
        filters: { properties: { type: "OR", ...(values !== undefined && { values }) } },
      }
      for (const operator of ["in", "not_in"]) {
        const result = evaluateOne(groups(inCohort(8, operator)), pro, { cohorts: [damaged] })
        expect(result).toMatchObject({ enabled: false, error: "flag_data_parsing_error" })
      }
    },
  )

  test("unknown membership fails only the flags that ask for it", () => {
    const facts = { ...pro, staticCohortIds: "timeout_error" as const }
    expect(enabled(inCohort(6), facts).error).toBe("timeout_error")
    expect(enabled(inCohort(5), facts)).toMatchObject({ enabled: true, error: null })
  })
})

describe("dependencies", () => {
  const needs = (key: string, value: Json = true): Json =>
    groups({ key, type: "flag", operator: "flag_evaluates_to", value })

  test("are named by id in storage and evaluated first, whatever the stored order", () => {
    const rules = rulesOf({
      flags: [
        { id: 1, key: "second", filters: needs("2") },
        { id: 2, key: "first", filters: groups() },
      ],
    })
    expect(rules.flags.map((flag) => flag.key)).toEqual(["first", "second"])
    expect(evaluate(rules, factsOf({})).get("second")?.enabled).toBe(true)
  })

  test("that are missing or form a circle switch the flag and everything behind it off", () => {
    const rules = rulesOf({
      flags: [
        { id: 1, key: "a", filters: needs("2") },
        { id: 2, key: "b", filters: needs("1") },
        { id: 3, key: "c", filters: needs("1", false) },
        { id: 4, key: "d", filters: needs("99", false) },
        { id: 5, key: "e", filters: groups() },
      ],
    })
    const results = evaluate(rules, factsOf({}))
    for (const key of ["a", "b", "c", "d"])
      expect(results.get(key)).toMatchObject({ enabled: false, reason: "missing_dependency", conditionIndex: null })
    expect(results.get("e")?.enabled).toBe(true)
    expect(rules.flags.filter((flag) => flag.isInCycle).map((flag) => flag.key)).toEqual(["a", "b", "c"])
  })

  test("on an inactive flag see it as off", () => {
    const rules = rulesOf({
      flags: [
        { id: 1, key: "off", active: false, filters: groups() },
        { id: 2, key: "k", filters: needs("1", false) },
      ],
    })
    const results = evaluate(rules, factsOf({}))
    expect(results.has("off")).toBe(false)
    expect(results.get("k")?.enabled).toBe(true)
  })
})

describe("stored properties that could not be read", () => {
  const facts = factsOf({}, [], { person: { overrides: { plan: "pro" }, stored: {}, unavailable: "timeout_error" } })

  test("fail the flags that need them and no others", () => {
    expect(evaluateOne(groups(person("plan", "pro")), facts)).toMatchObject({ enabled: true, error: null })
    expect(evaluateOne(groups(person("email", "x")), facts)).toMatchObject({ enabled: false, error: "timeout_error" })
    expect(evaluateOne(groups(person("distinct_id", "user-1")), facts)).toMatchObject({ enabled: true, error: null })
  })
})

describe("person properties", () => {
  test("of the request win over stored ones, and an initial value falls back to the present one", () => {
    const facts = factsOf({}, [], {
      person: { overrides: { a: 1 }, stored: { a: 2, b: 3, $os: "Linux" }, unavailable: null },
    })
    expect(evaluateOne(groups(person("a", 1), person("b", 3), person("$initial_os", "linux")), facts).enabled).toBe(
      true,
    )
  })

  test("with the names of built-in members are plain data", () => {
    expect(evaluateOne(groups(person("toString", "x", "is_set")), factsOf({})).enabled).toBe(false)
    expect(
      evaluateOne(groups(person("constructor", "x")), factsOf({ person_properties: { constructor: "x" } })).enabled,
    ).toBe(true)
  })
})

describe("group conditions", () => {
  test("a condition's own group type wins over the flag's, and null means persons", () => {
    const filters = { aggregation_group_type_index: 0, groups: [{ ...everybody, aggregation_group_type_index: null }] }
    expect(evaluateOne(filters, factsOf({})).enabled).toBe(true)
  })

  test("a group filter without the group in the request never holds, negative operators included", () => {
    const filter = { key: "tier", type: "group", group_type_index: 0, operator: "is_not", value: "gold" }
    expect(evaluateOne(groups(filter), factsOf({})).enabled).toBe(false)
    expect(evaluateOne(groups(filter), factsOf({ groups: { organization: "o" } })).enabled).toBe(true)
  })
})
