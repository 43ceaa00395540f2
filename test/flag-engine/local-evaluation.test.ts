import { describe, expect, test } from "@jest/globals"
import { presentDefinitions } from "../../src/features/flags/present/definitions.js"
import {
  type CallerSketch,
  evaluate,
  type FlagSketch,
  factsOf,
  type RulesSketch,
  readCases,
  rulesOf,
} from "./flag-builders.js"
import { LocalSdk } from "./local-evaluation-sdk.js"

interface EvaluationCase {
  readonly id: string
  readonly definitions: { readonly flags: FlagSketch[]; readonly group_type_mapping?: Record<string, string> }
  readonly context: CallerSketch
  readonly expected: { readonly flags: Record<string, { local_evaluation: string }> }
}

describe("a real SDK that evaluates our definitions itself", () => {
  const expectAgreement = async (sketch: RulesSketch, caller: CallerSketch) => {
    const rules = rulesOf(sketch)
    const ours = [...evaluate(rules, factsOf(caller, rules.document.groupTypes)).values()]
    const sdk = await LocalSdk.with(presentDefinitions(rules.document, true))
    const { flags: theirs } = await sdk.decide(caller)
    await sdk.close()
    const decided = ours.filter(({ key }) => theirs[key] !== undefined)
    expect(Object.fromEntries(decided.map(({ key }) => [key, theirs[key]]))).toEqual(
      Object.fromEntries(decided.map(({ key, variant, enabled }) => [key, variant ?? enabled])),
    )
    return decided.length
  }

  const { cases } = readCases<{ cases: EvaluationCase[] }>("flag-evaluation")
  const conclusive = cases.filter(({ expected }) =>
    Object.values(expected.flags).every(({ local_evaluation }) => local_evaluation === "conclusive"),
  )
  test.each(conclusive.map((one) => [one.id, one] as const))("agrees on %s", async (_, { definitions, context }) => {
    const mapping = Object.entries(definitions.group_type_mapping ?? {})
    const groupTypes = mapping.map(([index, name]) => ({ index: Number(index), name }))
    const decided = await expectAgreement({ flags: definitions.flags, groupTypes }, context)
    expect(decided).toBe(definitions.flags.length)
  })
})
