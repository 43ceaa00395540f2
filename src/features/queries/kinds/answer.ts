import type { Json } from "../../../kernel/json.js"
import type { QueryAnswer } from "../queries.types.js"
import type { HogqlResult } from "./hogql-runner.js"

/** The answer of an insight: its result, and the statements that it took, as HogQL with their times. */
export function answerOf(results: Json, answers: readonly HogqlResult[], more: QueryAnswer = {}): QueryAnswer {
  return {
    results,
    hogql: answers.at(-1)?.compiled.hogql ?? null,
    timings: answers.map(({ elapsedMs }) => ({ k: "./engine", t: elapsedMs / 1000 })),
    hasMore: false,
    modifiers: {},
    error: null,
    ...more,
  }
}
