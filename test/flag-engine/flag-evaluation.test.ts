import { describe, expect, test } from "@jest/globals"
import type { Json } from "../../src/kernel/json.js"
import { type CallerSketch, evaluate, type FlagSketch, factsOf, readCases, rulesOf } from "./flag-builders.js"

interface EvaluationCase {
  readonly id: string
  readonly definitions: { readonly flags: FlagSketch[]; readonly group_type_mapping?: Record<string, string> }
  readonly context: CallerSketch
  readonly expected: {
    readonly flags: Record<string, { enabled: boolean; variant: string | null; payload: Json; reason: Reason }>
    readonly omitted_flags: string[]
  }
}
interface Reason {
  readonly code: string
  readonly condition_index: number | null
}

const { cases } = readCases<{ cases: EvaluationCase[] }>("flag-evaluation")

describe("a whole flag evaluates to value, payload and reason", () => {
  test.each(cases.map((one) => [one.id, one] as const))("%s", (_, { definitions, context, expected }) => {
    const groupTypes = Object.entries(definitions.group_type_mapping ?? {}).map(([index, name]) => ({
      index: Number(index),
      name,
    }))
    const results = evaluate(rulesOf({ flags: definitions.flags, groupTypes }), factsOf(context, groupTypes))
    const shown = [...results.values()].map(({ key, enabled, variant, payload, reason, conditionIndex }) => [
      key,
      { enabled, variant, payload, reason: { code: reason, condition_index: conditionIndex } },
    ])
    const wanted = Object.entries(expected.flags).map(([key, { enabled, variant, payload, reason }]) => [
      key,
      { enabled, variant, payload, reason },
    ])
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(wanted))
    for (const key of expected.omitted_flags) expect(results.has(key)).toBe(false)
  })
})
