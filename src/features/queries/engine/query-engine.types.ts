import type { Readable } from "node:stream"
import type { CompiledQuery } from "../../../hogql/index.js"
import type { ResultTable, Statement, StreamFormat } from "../../../platform/clickhouse/click-house.js"
import type { EngineControl } from "../queries.types.js"

/** A SELECT for the engine, with what it was compiled to when it comes from HogQL. */
export interface QueryStatement extends Statement {
  readonly compiled?: CompiledQuery
}

/** Runs compiled SELECTs; engine refusals come out as request faults. */
export interface QueryEngine extends EngineControl {
  /** @throws AppError query_timeout, query_cancelled, query_memory_limit, result_too_large, invalid_input, store_unavailable. */
  select(statement: QueryStatement): Promise<ResultTable>
}

/**
 * Hands rows on while they are made. Faults are those of `QueryEngine`; one after the first row makes the stream fail.
 */
export interface RowStreamEngine {
  /** The engine's own names and types of the columns, without running the statement. */
  columns(statement: Statement): Promise<readonly { readonly name: string; readonly type: string }[]>
  stream(statement: Statement, format: StreamFormat): Promise<Readable>
}
