import type { CompiledQuery } from "../../../hogql/index.js"
import { isJsonObject } from "../../../kernel/json.js"
import { toPartNames } from "../insights/shown-columns.js"
import { type RecordedQuery, recordQuery } from "../kinds/record-query.js"
import type { QueryRequest, RunScope } from "../queries.types.js"
import { type ExportFormat, withDenormals } from "./export-format.js"
import { type RowCount, readRows } from "./export-rows.js"
import { type ExportSource, type OpenedRows, withExportLimits } from "./export-source.js"
import { orTooManyRows, toParquetStatement } from "./parquet.js"

/** Kinds whose rows are those of one statement, so that they go out as they are made; the others are calculated first. */
const STREAMED_KINDS: ReadonlySet<string> = new Set([
  "HogQLQuery",
  "EventsQuery",
  "ActorsQuery",
  "PersonsQuery",
  "GroupsQuery",
])

/** Whether the rows of a query are those of one statement; actors of an insight take more. */
export const isStreamed = ({ query }: QueryRequest): boolean =>
  STREAMED_KINDS.has(query.kind) && (!isJsonObject(query.source) || query.source.kind === "HogQLQuery")

/**
 * Opens the rows of one statement, which go out as the engine makes them.
 * @throws AppError of the query.
 */
export async function openStreamed(
  { kindsOver, engine, maxRows }: ExportSource,
  request: QueryRequest,
  format: ExportFormat,
  scope: RunScope,
): Promise<OpenedRows> {
  const rowLimit = { defaultRows: maxRows, maxRows }
  const recorded = await recordQuery(kindsOver, request.query, { ...scope, rowLimit })
  const [statement] = recorded.statements
  const compiled = statement?.compiled
  if (statement === undefined || compiled === undefined) throw new Error("a streamed kind compiles one statement")
  const { limit, exact: isExact } = compiled
  const own = await engine.columns(statement)
  const columns = toColumnNames(request, recorded, compiled)
  if (format === "parquet") {
    const whole = toParquetStatement(statement, own, columns, limit < maxRows ? limit : null)
    const limited = withExportLimits(whole, scope.engineQueryId, scope.signal, maxRows)
    return {
      count: { rows: null, isCut: false },
      pieces: await orTooManyRows(engine.stream(limited, "Parquet"), maxRows),
    }
  }
  const count: RowCount = { rows: 0, isCut: false }
  const limited = withExportLimits(statement, scope.engineQueryId, scope.signal, maxRows + 1)
  const lines = await engine.stream(withDenormals(format, limited), "JSONCompactEachRow")
  const shape = { columns, types: own.map(({ type }) => type), timezone: scope.timezone }
  return { count, pieces: readRows(format, { lines, shape, limit, isExact, count }) }
}

/** Names as they were asked for; a table of objects has a column for each of their parts. */
function toColumnNames({ query }: QueryRequest, recorded: RecordedQuery, compiled: CompiledQuery): readonly string[] {
  const { columns } = recorded.answer
  if (query.kind === "HogQLQuery" || !Array.isArray(columns)) return compiled.columns
  const names = toPartNames(query.kind, columns.map(String))
  return compiled.columns.map((name, index) => names[index] ?? name)
}
