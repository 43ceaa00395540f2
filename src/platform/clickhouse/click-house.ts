import type { Readable } from "node:stream"
import type { Json } from "../../kernel/json.js"

/** Values bound to `{name:Type}` placeholders of a statement; never spliced into its text. */
export type QueryParameters = Readonly<Record<string, unknown>>

/** A statement with everything that goes with it. */
export interface Statement {
  /** SQL with `{name:Type}` placeholders and no FORMAT clause. */
  readonly sql: string
  readonly parameters?: QueryParameters
  /** Id under which the run can be watched and killed; made up when absent. */
  readonly queryId?: string
  /** Settings of this statement only (limits, readonly). */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Whether whole numbers beyond 2^53 are wanted with all their digits, as `parseExactJson` gives them. */
  readonly isExact?: boolean
  /** Longest answer in bytes of JSON; without it any. A longer one is AppError result_too_large. */
  readonly maxAnswerBytes?: number
  /** Aborting gives up waiting and kills the engine's work. */
  readonly signal?: AbortSignal
}

/** The whole answer of a SELECT. */
export interface ResultTable {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Rows as arrays in column order. 64-bit integers are JSON numbers. */
  readonly rows: readonly (readonly Json[])[]
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedMs: number
}

/** Rows in JSON. */
export interface JsonInsert extends InsertTarget {
  /** One JSON object per row, keys are column names. Already-serialised rows (JSON text) are taken as they are. */
  readonly rows: readonly (Readonly<Record<string, unknown>> | string)[]
}

/** Rows of escaped fields, which the engine reads several times faster than JSON. */
export interface FieldInsert extends InsertTarget {
  /** At least two. */
  readonly columns: readonly string[]
  /**
   * Whole rows as UTF-8: the values of the columns in their order, each as `escapeField` writes it, with tabs between and a
   * line feed behind the last one.
   */
  readonly blocks: readonly Uint8Array[]
}

/** Rows for one table. */
export type Insert = JsonInsert | FieldInsert

interface InsertTarget {
  readonly table: string
  /**
   * Same token, same table: the engine stores the rows once, however often the insert is repeated within the table's
   * deduplication window.
   */
  readonly deduplicationToken?: string
}

/** What a running statement has read so far. */
export interface QueryProgress {
  readonly rowsRead: number
  readonly bytesRead: number
  readonly estimatedRowsTotal: number
  readonly elapsedMs: number
  readonly memoryBytes: number
}

/** Statements of this process that the engine works on, and those that wait for a connection to it. */
export interface StatementCount {
  readonly running: number
  readonly waiting: number
}

/** What a streamed answer is written in: one JSON array a row and line, or a Parquet file. */
export type StreamFormat = "JSONCompactEachRow" | "Parquet"

/**
 * The ClickHouse engine, embedded or a server. Every method rejects with `EngineError` when the engine refuses the
 * statement and with `AppError("store_unavailable")` when it cannot be reached.
 */
export interface ClickHouse {
  /** Runs a SELECT and reads the whole answer. */
  query(statement: Statement): Promise<ResultTable>
  /** Runs a SELECT and reads rows as objects keyed by column name. */
  rows<Row extends object>(statement: Statement): Promise<Row[]>
  /**
   * Runs a SELECT and hands its answer on while it is made. Refusals before the first row reject; one that comes later
   * makes the stream fail, so an answer that ends well is whole. Destroying the stream stops the engine's work.
   */
  stream(statement: Statement, format: StreamFormat): Promise<Readable>
  /** Runs a statement that answers nothing (DDL, ALTER … DELETE). */
  command(statement: Statement): Promise<void>
  insert(insert: Insert): Promise<void>
  /** Inserts the rows of a Parquet file, whose columns have the names of the table's and which may be larger than memory. */
  insertParquet(table: string, columns: readonly string[], file: Readable): Promise<void>
  /** What a running statement has read so far; null when no such statement runs. */
  progress(queryId: string): Promise<QueryProgress | null>
  /** Asks the engine to stop a statement; resolves when asked, whether or not it runs. */
  kill(queryId: string): Promise<void>
  countStatements(): StatementCount
  /** Rejects when the engine does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The engine's own refusal, with the name of its error code (`ILLEGAL_TYPE_OF_ARGUMENT`) and its sentence. */
export class EngineError extends Error {
  readonly engineCode: number
  readonly engineName: string

  constructor(engineCode: number, engineName: string, message: string) {
    super(message)
    this.name = "EngineError"
    this.engineCode = engineCode
    this.engineName = engineName
  }
}
