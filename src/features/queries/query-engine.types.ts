import type { ResultTable, Statement } from "../../platform/clickhouse/click-house.js"
import type { EngineControl } from "./queries.types.js"

/** Runs compiled SELECTs; engine refusals come out as request faults. */
export interface QueryEngine extends EngineControl {
  /** @throws AppError query_timeout, query_cancelled, query_memory_limit, invalid_input, store_unavailable. */
  select(statement: Statement): Promise<ResultTable>
}
