import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { aliased, type SqlQuery, sqlCall, sqlJoin, sqlSelect, sqlText } from "../sql/sql.js"
import type { Compilation } from "./compilation.js"

/** Servers refuse a parameter of more than 128 KiB; a character takes up to three bytes, or two where it is escaped. */
const CHARACTERS_OF_PIECE = 30_000

/**
 * The rows of a table of records, which come with the query as values: each as JSON text in the column `row`.
 * @throws HogqlError for a table whose rows did not come
 */
export function givenRows(table: string, { scope }: Compilation, at: Span): SqlQuery {
  const json = scope.records?.get(table)
  if (json === undefined)
    throw queryError(`The table "${table}" can be read in a query that names it so, and not in a saved condition.`, at)
  const count = Math.max(1, Math.ceil(json.length / CHARACTERS_OF_PIECE))
  const pieces = Array.from({ length: count }, (_, index) =>
    sqlText(json.slice(index * CHARACTERS_OF_PIECE, (index + 1) * CHARACTERS_OF_PIECE)),
  )
  const rows = sqlCall("JSONExtractArrayRaw", sqlJoin("concat", pieces))
  return sqlSelect({ columns: [aliased(sqlCall("arrayJoin", rows), "row")] })
}
