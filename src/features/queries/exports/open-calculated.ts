import { Readable } from "node:stream"
import { QUERY_SETTINGS } from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import { findKind } from "../kinds/find-kind.js"
import type { QueryRequest, RunScope } from "../queries.types.js"
import { toTable } from "./answer-table.js"
import { createRowWriter, type ExportFormat } from "./export-format.js"
import type { ExportCount } from "./export-rows.js"
import { type ExportSource, type OpenedRows, withExportLimits } from "./export-source.js"
import { toTableStatement } from "./table-statement.js"

/**
 * Opens the answer of a kind that calculates with the rows it reads, as a table.
 * @throws AppError of the query; invalid_input when the table is too large for Parquet.
 */
export async function openCalculated(
  { kindsOver, engine, newId, maxRows }: ExportSource,
  request: QueryRequest,
  format: ExportFormat,
  scope: RunScope,
): Promise<OpenedRows> {
  const answer = await findKind(kindsOver(engine), request.query).run(request.query, scope)
  const table = toTable(answer)
  const count: ExportCount = { rows: table.rows.length, isCut: answer.hasMore === true }
  if (format !== "parquet") {
    const writer = createRowWriter(format, { columns: table.columns, types: [], timezone: scope.timezone })
    return { count, pieces: Readable.from([writer.head, writer.write(table.rows)]) }
  }
  const statement = toTableStatement(table)
  if (statement === null)
    throw new AppError("invalid_input", { attr: "format", detail: "The answer is too large for Parquet: use jsonl." })
  const limited = withExportLimits({ ...statement, settings: QUERY_SETTINGS }, newId(), scope.signal, maxRows)
  return { count, pieces: await engine.stream(limited, "Parquet") }
}
