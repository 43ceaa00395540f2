import { assertNever } from "../../../kernel/errors.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { QueryRun } from "../runs/query-run.js"
import { cacheMissBody, statusBody } from "./query-answers.js"

/** What a request comes to, by its refresh mode. `body` is an `answerBody`. */
export type QueryOutcome =
  | { readonly is: "answered"; readonly body: JsonObject }
  /** A run has been started; `stale` is an older answer that may be shown meanwhile. */
  | { readonly is: "started"; readonly run: QueryRun; readonly stale: JsonObject | null }
  | { readonly is: "missed"; readonly cacheKey: string }

/** An outcome as the body of `POST …/query` (`docs/contract/queries.md#refresh-modes`). */
export function outcomeBody(outcome: QueryOutcome): JsonObject {
  switch (outcome.is) {
    case "answered":
      return outcome.body
    case "started":
      return { ...outcome.stale, cache_key: outcome.run.cacheKey, query_status: statusBody(outcome.run) }
    case "missed":
      return cacheMissBody(outcome.cacheKey)
    default:
      return assertNever(outcome)
  }
}
