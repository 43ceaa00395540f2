import type { QueryReader } from "../insights/query-reader.js"

/** Which rows of a table are asked for. */
export interface RowPage {
  readonly limit: number
  readonly offset: number
}

/** `limit` and `offset` of a query that is a page of a table. @throws AppError parse_error. */
export const readPage = (
  reader: QueryReader,
  { defaultLimit, maxLimit }: { readonly defaultLimit: number; readonly maxLimit: number },
): RowPage => ({
  limit: reader.integer("limit", { min: 1, max: maxLimit }) ?? defaultLimit,
  offset: reader.integer("offset", { min: 0 }) ?? 0,
})
