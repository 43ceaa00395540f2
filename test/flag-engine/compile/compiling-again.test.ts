import { describe, expect, test } from "@jest/globals"
import { createRuleCompiler } from "../../../src/flag-engine/compile/compile-rules.js"
import type { CompiledRules } from "../../../src/flag-engine/compile/compiled-rules.types.js"
import { buildRules } from "../../../src/flag-engine/definition/build-rules.js"
import { asProjectId } from "../../../src/kernel/ids.js"
import type { Json } from "../../../src/kernel/json.js"
import { evaluate, type FlagSketch, factsOf, type RulesSketch, storedFlag } from "../flag-builders.js"

const on = (...properties: Json[]): Json => ({ groups: [{ properties, rollout_percentage: 100 }] })
const plan = (value: string): Json => ({ key: "plan", type: "person", operator: "exact", value })
const inCohort = (id: number): Json => ({ key: "id", type: "cohort", operator: "in", value: id })
const needs = (flag: string): Json => ({ key: flag, type: "flag", operator: "flag_evaluates_to", value: true })
const cohort = (id: number, value: string) => ({
  id,
  isStatic: false,
  filters: { properties: { type: "OR", values: [plan(value)] } },
})

const documentOf = (sketch: RulesSketch, last: CompiledRules | null = null) => {
  const source = {
    projectId: asProjectId(1),
    version: 1,
    timeZone: "UTC",
    groupTypes: [],
    cohorts: [],
    ...sketch,
    flags: sketch.flags.map(storedFlag),
  }
  return JSON.parse(JSON.stringify(buildRules(source, last?.document ?? null)))
}
const compiler = createRuleCompiler()
const compile = (sketch: RulesSketch, last: CompiledRules | null = null): CompiledRules =>
  compiler.compile(documentOf(sketch, last), last)

/** How many flags had to be compiled when the rules became those of the sketch. */
const compiledFor = (sketch: RulesSketch, last: CompiledRules | null): number => {
  const steps = compiler.compileStepwise(documentOf(sketch, last), last)
  let count = 0
  while (steps.next().done !== true) count++
  return count
}

const flags: FlagSketch[] = [
  { id: 1, key: "first", filters: on(plan("a")) },
  { id: 2, key: "in-cohort", filters: on(inCohort(5)) },
  { id: 3, key: "dependent", filters: on(needs("1")) },
]
const sketch: RulesSketch = { flags, cohorts: [cohort(5, "a")] }
const [first, asker, dependent] = flags as [FlagSketch, FlagSketch, FlagSketch]

describe("rules that follow others", () => {
  test("compile only the flag that was changed or added", () => {
    const last = compile(sketch)
    expect(compiledFor(sketch, null)).toBe(3)
    expect(compiledFor(sketch, last)).toBe(0)
    const changed = { ...first, version: 2, filters: on(plan("b")) }
    expect(compiledFor({ ...sketch, flags: [changed, asker, dependent] }, last)).toBe(1)
    expect(compiledFor({ ...sketch, flags: [...flags, { id: 4, key: "new", filters: on() }] }, last)).toBe(1)
  })

  test("ask the same filter once for flags that came one after the other, as long as cohorts are the same", () => {
    const last = compile(sketch)
    const known = last.context.sharedTests.size
    const added = { id: 4, key: "new", filters: on(plan("a")) }
    expect(compile({ ...sketch, flags: [...flags, added] }, last).context.sharedTests.size).toBe(known)
    expect(compile({ ...sketch, cohorts: [cohort(5, "b")] }, last).context.sharedTests).not.toBe(
      last.context.sharedTests,
    )
  })

  test("compile flags that ask for a cohort when a cohort changed, and every flag in another time zone", () => {
    const last = compile(sketch)
    expect(compiledFor({ ...sketch, cohorts: [cohort(5, "b")] }, last)).toBe(1)
    expect(compiledFor({ ...sketch, timeZone: "Asia/Tokyo" }, last)).toBe(3)
  })

  test("decide as if they had been compiled from nothing, whatever the change", () => {
    const changes: RulesSketch[] = [
      sketch,
      { ...sketch, cohorts: [cohort(5, "z")] },
      { ...sketch, flags: [{ ...first, active: false }, asker, dependent] },
      { ...sketch, flags: [asker, dependent] },
      { ...sketch, flags: [{ ...first, key: "renamed" }, asker, dependent] },
      { ...sketch, flags: [{ id: 0, key: "before", filters: on(plan("b")) }, ...flags] },
      { ...sketch, flags: [{ ...first, id: 9 }, asker, dependent] },
      { ...sketch, flags: [first, { ...asker, filters: on(needs("3")) }, { ...dependent, filters: on(needs("2")) }] },
      { ...sketch, flags: [dependent, { ...asker, key: "1" }] },
      { ...sketch, flags: [{ ...first, filters: "damaged" }, asker, dependent] },
    ]
    const caller = factsOf({ person_properties: { plan: "a" } })
    for (const before of changes)
      for (const after of changes) {
        const last = compile(before)
        expect(evaluate(compile(after, last), caller)).toEqual(evaluate(compile(after), caller))
        expect(documentOf(after, last)).toEqual(documentOf(after))
      }
  })
})
