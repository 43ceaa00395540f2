import type { Readable } from "node:stream"
import type { Statement } from "../../../platform/clickhouse/click-house.js"
import type { QueryEngine, RowStreamEngine } from "../engine/query-engine.types.js"
import type { KindsOver } from "../kinds/record-query.js"
import type { ExportCount } from "./export-rows.js"

const MAX_EXPORT_BYTES = 8_000_000_000

/** Where the rows of exports come from. */
export interface ExportSource {
  readonly kindsOver: KindsOver
  readonly engine: QueryEngine & RowStreamEngine
  readonly newId: () => string
  /** Most rows of one export. */
  readonly maxRows: number
}

/** Rows of an export that are under way. */
export interface OpenedRows {
  readonly count: ExportCount
  readonly pieces: Readable | AsyncIterable<string>
}

/** What is held of an export in Parquet until it can be written out. */
const SMALL_ROW_GROUPS = {
  output_format_parquet_row_group_size: 100_000,
  output_format_parquet_row_group_size_bytes: 32_000_000,
  output_format_parquet_parallel_encoding: 0,
}

/** A statement whose result may be as large as an export. */
export const withExportLimits = (
  statement: Statement,
  queryId: string,
  signal: AbortSignal,
  maxRows: number,
): Statement => ({
  ...statement,
  queryId,
  signal,
  settings: {
    ...statement.settings,
    ...SMALL_ROW_GROUPS,
    max_result_rows: maxRows,
    max_result_bytes: MAX_EXPORT_BYTES,
  },
})
