import type { Json } from "../../../kernel/json.js"
import type { QueryAnswer } from "../queries.types.js"
import type { HogqlResult } from "./kind-context.js"

/** The answer of an insight: its result, and the statements that it took, as HogQL with their times. */
export function toAnswer(results: Json, answers: readonly HogqlResult[], more: QueryAnswer = {}): QueryAnswer {
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

/** The answer of a kind that is a page of a table: what it shows, with the names and types of its columns. */
export function toTableAnswer(
  result: HogqlResult,
  results: Json,
  columns: readonly string[],
  more: QueryAnswer = {},
): QueryAnswer {
  const { limit, offset } = result.compiled
  const page = { columns: [...columns], types: [...result.types], hasMore: result.hasMore, limit, offset }
  return toAnswer(results, [result], { ...page, ...more })
}
