import { type AppError, assertNever, toPublicError } from "../../../../kernel/errors.js"
import type { QueryOutcome } from "../../answers/query-outcome.js"
import type { QueryRunErrorType } from "../../queries.graphql.js"
import { type QueryRun, toRunError } from "../../runs/query-run.js"
import type { CacheMissType, QueryAnswerType } from "../results/query-answer.graphql.js"
import { showAnswer } from "./show-answer.js"

/** What a query comes to, as the union of the schema has it. */
export type QueryResult = QueryAnswerType | QueryRun | CacheMissType

/** An outcome as the union of the schema has it: a stale answer names the run that renews it. */
export function showOutcome(outcome: QueryOutcome): QueryResult {
  switch (outcome.is) {
    case "answered":
      return showAnswer(outcome.body, null)
    case "started":
      return outcome.stale === null ? outcome.run : showAnswer(outcome.stale, outcome.run)
    case "missed":
      return { resultType: "CacheMiss", key: outcome.cacheKey }
    default:
      return assertNever(outcome)
  }
}

/** A fault of a query as a run that failed with it shows it. */
export function showFault(fault: AppError): QueryRunErrorType {
  // Only what is no AppError would need a place in the log.
  const shown = toPublicError(fault, () => "")
  const { code: wireCode, start, end } = toRunError(shown)
  return { code: shown.graphqlCode, wireCode, message: shown.detail, start, end }
}
