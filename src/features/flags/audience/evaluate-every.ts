import {
  type CompiledRules,
  type EvaluationFacts,
  evaluateFlags,
  type FlagResult,
  FlagResults,
} from "../../../flag-engine/index.js"

/** Every flag of a project for one user, inactive ones as `flag_disabled`, by number. */
export function evaluateEvery(compiled: CompiledRules, facts: EvaluationFacts): FlagResult[] {
  const inactive = compiled.document.flags.filter(({ active }) => !active)
  const disabled = inactive.map((flag) => new FlagResults(flag).off("flag_disabled", null))
  const results = evaluateFlags(compiled, compiled.flags, facts)
  return [...results, ...disabled].sort((left, right) => left.id - right.id)
}
