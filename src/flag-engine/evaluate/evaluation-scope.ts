import type { EvaluationFacts, EvaluationScope, FlagResult } from "../evaluation.types.js"

let turns = 0

/** Begins an evaluation over a project's flags, of which there are so many. */
export const createScope = (facts: EvaluationFacts, flagCount: number): EvaluationScope => ({
  turn: ++turns,
  facts,
  results: new Array<FlagResult | undefined>(flagCount),
  fault: null,
})
