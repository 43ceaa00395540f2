import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import type { FindBriefScope } from "./execution/brief-scope.js"
import { type KindsOver, recordQuery } from "./kinds/record-query.js"
import type { QueryObject } from "./queries.types.js"
import { type RawQueryRequest, toQueryRequest } from "./request/query-request.js"

export interface CheckQueryDependencies {
  readonly kindsOver: KindsOver
  readonly findScope: FindBriefScope
}

export type CheckQuery = ReturnType<typeof createCheckQuery>

/** Checks queries that are not run now, by the reader of their kind. */
export function createCheckQuery({ kindsOver, findScope }: CheckQueryDependencies) {
  /**
   * The query object to be kept: what a request for it would run.
   * @param overrides dates and properties that are laid over it before it is checked
   * @throws AppError invalid_input naming the field, and faults of the query's text.
   */
  return async (
    projectId: ProjectId,
    query: Json,
    overrides?: RawQueryRequest["filtersOverride"],
  ): Promise<QueryObject> => {
    try {
      const request = toQueryRequest({ query, filtersOverride: overrides ?? null })
      await recordQuery(kindsOver, request.query, await findScope(projectId))
      return request.query
    } catch (fault) {
      if (!(fault instanceof AppError) || fault.code !== "parse_error") throw fault
      const { attr = null } = fault.details
      throw new AppError("invalid_input", { attr, detail: fault.message, cause: fault })
    }
  }
}
