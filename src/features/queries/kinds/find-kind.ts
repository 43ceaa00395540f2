import { AppError } from "../../../kernel/errors.js"
import type { QueryKind, QueryObject } from "../queries.types.js"
import { listRecordTables } from "../request/demanded-scopes.js"

/** The kind that calculates a query. @throws AppError invalid_input for a kind that is not among these. */
export function findKind(kinds: readonly QueryKind[], { kind: name }: QueryObject): QueryKind {
  const found = kinds.find(({ kind }) => kind === name)
  if (found === undefined)
    throw new AppError("invalid_input", {
      attr: "query__kind",
      detail: `Unsupported query kind: ${name.slice(0, 100)}`,
    })
  return found
}

/** Whether answers of a query are never kept, because what they show changes all the time: recordings, or records. */
export const isLive = (kinds: readonly QueryKind[], query: QueryObject): boolean =>
  findKind(kinds, query).isLive === true || listRecordTables(query).length > 0
