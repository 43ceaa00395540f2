import { randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import { parseExactJson } from "../../kernel/exact-json.js"
import type { Json } from "../../kernel/json.js"
import type { Logger } from "../logger/logger.js"
import type {
  ClickHouse,
  Insert,
  QueryProgress,
  ResultTable,
  Statement,
  StatementCount,
  StreamFormat,
} from "./click-house.js"
import type { Cluster, Layout } from "./cluster/cluster.types.js"
import { clusterLayout, ONE_SERVER } from "./cluster/cluster-layout.js"
import { HttpTransport, isTimeout, readDatabase, type SentStatement } from "./http-transport.js"
import { toColumnList, toInsertBody } from "./request-body.js"

export interface ClickHouseOptions {
  /**
   * `http(s)://user:password@host:port/database`; a function when it may change, as the embedded engine's can.
   * Asked for before every statement.
   */
  readonly url: string | (() => string)
  readonly logger: Logger
  /** Overrides the URL's database. */
  readonly database?: string
  /** What the server is one of; null or absent for one server. */
  readonly cluster?: Cluster | null
}

/** For a statement that sets no `max_execution_time` itself. */
const STATEMENT_TIMEOUT_MS = 600_000
const INSERT_TIMEOUT_MS = 120_000
const FILE_INSERT_TIMEOUT_MS = 6 * 3_600_000
/** Time limit of statements that watch or stop others: nobody should have to wait for them. */
const CONTROL_TIMEOUT_MS = 5_000
/** Time for the engine to say that a limit has been reached, on top of the limit. */
const LIMIT_GRACE_MS = 10_000

/**
 * One row per statement, whatever serves it: an id given to a real server is its `query_id`; the embedded engine makes
 * that up itself and carries ours as `log_comment`. The statements of one query share what comes before a slash.
 */
const IS_STATEMENT = `(query_id = {queryId:String} OR startsWith(query_id, concat({queryId:String}, '/'))
  OR Settings['log_comment'] = {queryId:String} OR startsWith(Settings['log_comment'], concat({queryId:String}, '/')))`

const READ_SETTINGS = {
  // The whole answer is wanted, so an error that comes late must still be an error status.
  wait_end_of_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  output_format_json_quote_64bit_integers: 0,
}
const STREAM_SETTINGS = {
  ...READ_SETTINGS,
  wait_end_of_query: 0,
  // A refusal after the first rows must break the answer off instead of looking like a row.
  http_write_exception_in_output_format: 0,
  output_format_json_quote_denormals: 0,
  output_format_json_quote_decimals: 0,
}
const INSERT_SETTINGS = {
  // Answered when the parts are written, not when they are in a buffer.
  async_insert: 0,
  // One insert is then one block per partition, cut the same way on every repetition, which the token relies on.
  input_format_parallel_parsing: 0,
  // A misspelt column would otherwise lose its values without a word.
  input_format_skip_unknown_fields: 0,
  date_time_input_format: "best_effort",
  // A repeated insert reaches the views again, whose tables may lack what the first attempt did not get to.
  deduplicate_blocks_in_dependent_materialized_views: 1,
}

/** ClickHouse over HTTP: the embedded engine, a server or a cluster. See the port for what each method promises. */
export function createClickHouse({ url, logger, database, cluster = null }: ClickHouseOptions): ClickHouse {
  const readUrl = typeof url === "function" ? url : () => url
  if (cluster === null) return new HttpClickHouse(new HttpTransport(readUrl, database), ONE_SERVER, logger)
  const named = database ?? (readDatabase(readUrl()) || "default")
  return new HttpClickHouse(new HttpTransport(readUrl, named), clusterLayout(cluster, named), logger)
}

class HttpClickHouse implements ClickHouse {
  constructor(
    private readonly http: HttpTransport,
    private readonly layout: Layout,
    private readonly logger: Logger,
  ) {}

  async query(statement: Statement): Promise<ResultTable> {
    const text = await this.read(statement, "JSONCompact")
    const { meta, data, statistics }: CompactAnswer = statement.isExact ? parseExactJson(text) : JSON.parse(text)
    const { elapsed, rows_read, bytes_read } = statistics
    return {
      columns: meta,
      rows: data,
      rowsRead: rows_read,
      bytesRead: bytes_read,
      elapsedMs: elapsed * 1000,
    }
  }

  async rows<Row extends object>(statement: Statement): Promise<Row[]> {
    return JSON.parse(await this.read(statement, "JSON")).data
  }

  async stream(statement: Statement, format: StreamFormat): Promise<Readable> {
    const { parameters, queryId = randomUUID(), signal } = statement
    const sql = `${this.layout.toRead(withoutSemicolon(statement.sql))}\nFORMAT ${format}`
    const settings = { ...this.layout.settings, ...STREAM_SETTINGS, ...statement.settings }
    const timeoutMs = toTimeoutMs(settings)
    const stream = await this.http.open({ sql, parameters, settings, queryId, timeoutMs, signal })
    return stream.once("close", () => {
      if (!stream.readableEnded) this.killInBackground(queryId)
    })
  }

  async command(statement: Statement): Promise<void> {
    const settings = { ...this.layout.settings, ...statement.settings }
    for (const sql of this.layout.toCommands(withoutSemicolon(statement.sql))) await this.send(statement, sql, settings)
  }

  async insert(insert: Insert): Promise<void> {
    const { table, deduplicationToken } = insert
    const body = toInsertBody(insert)
    if (body === null) return
    const token = deduplicationToken !== undefined && { insert_deduplication_token: deduplicationToken }
    await this.http.send({
      sql: `INSERT INTO ${toTableName(table)} ${body.clause}`,
      settings: { ...this.layout.settings, ...INSERT_SETTINGS, ...body.settings, ...token },
      rows: body.stream,
      rowsByteCount: body.byteCount,
      queryId: randomUUID(),
      timeoutMs: INSERT_TIMEOUT_MS,
    })
  }

  async insertParquet(table: string, columns: readonly string[], file: Readable): Promise<void> {
    await this.http.send({
      sql: `INSERT INTO ${toTableName(table)} (${toColumnList(columns)}) FORMAT Parquet`,
      // A token of its own: equal files are equal rows, and wanted as often.
      settings: { ...this.layout.settings, insert_deduplication_token: randomUUID() },
      rows: file,
      queryId: randomUUID(),
      timeoutMs: FILE_INSERT_TIMEOUT_MS,
    })
  }

  async progress(queryId: string): Promise<QueryProgress | null> {
    const sql = `SELECT sum(p.read_rows) AS read_rows, sum(p.read_bytes) AS read_bytes,
  sum(p.total_rows_approx) AS total_rows_approx, max(p.elapsed) AS elapsed, sum(p.memory_usage) AS memory_usage
FROM system.processes AS p WHERE ${IS_STATEMENT} AND is_initial_query HAVING count() > 0 FORMAT JSON`
    const [process]: ProcessRow[] = JSON.parse(await this.control(this.layout.toRead(sql), queryId)).data
    if (process === undefined) return null
    return {
      rowsRead: process.read_rows,
      bytesRead: process.read_bytes,
      estimatedRowsTotal: process.total_rows_approx,
      elapsedMs: process.elapsed * 1000,
      memoryBytes: process.memory_usage,
    }
  }

  async kill(queryId: string): Promise<void> {
    for (const sql of this.layout.toCommands(`KILL QUERY WHERE ${IS_STATEMENT} ASYNC`)) await this.control(sql, queryId)
  }

  countStatements(): StatementCount {
    return this.http.countStatements()
  }

  async ping(): Promise<void> {
    await this.http.send({ sql: "SELECT 1", queryId: randomUUID(), timeoutMs: CONTROL_TIMEOUT_MS })
  }

  async close(): Promise<void> {
    await this.http.close()
  }

  private read(statement: Statement, format: string): Promise<string> {
    const sql = `${this.layout.toRead(withoutSemicolon(statement.sql))}\nFORMAT ${format}`
    return this.send(statement, sql, { ...this.layout.settings, ...READ_SETTINGS, ...statement.settings })
  }

  private async send(statement: Statement, sql: string, settings: Settings): Promise<string> {
    const { parameters, queryId = randomUUID(), signal, maxAnswerBytes } = statement
    const sent = { sql, parameters, settings, queryId, timeoutMs: toTimeoutMs(settings), signal, maxAnswerBytes }
    try {
      return await this.http.send(sent)
    } catch (error) {
      if (signal?.aborted || isTimeout(error)) this.killInBackground(queryId)
      throw error
    }
  }

  private control(sql: string, queryId: string): Promise<string> {
    const settings = { ...this.layout.controlSettings, output_format_json_quote_64bit_integers: 0 }
    const parameters = { queryId }
    return this.http.send({ sql, parameters, settings, queryId: randomUUID(), timeoutMs: CONTROL_TIMEOUT_MS })
  }

  private killInBackground(queryId: string): void {
    this.kill(queryId).catch((error) => this.logger.warn("cannot stop an abandoned statement", { queryId, err: error }))
  }
}

type Settings = NonNullable<SentStatement["settings"]>

interface CompactAnswer {
  readonly meta: { name: string; type: string }[]
  readonly data: Json[][]
  readonly statistics: { elapsed: number; rows_read: number; bytes_read: number }
}

interface ProcessRow {
  readonly read_rows: number
  readonly read_bytes: number
  readonly total_rows_approx: number
  readonly elapsed: number
  readonly memory_usage: number
}

const withoutSemicolon = (sql: string): string => sql.replace(/[;\s]+$/, "")

function toTimeoutMs(settings: Settings): number {
  const limitSeconds = Number(settings.max_execution_time ?? 0)
  return limitSeconds > 0 ? limitSeconds * 1000 + LIMIT_GRACE_MS : STATEMENT_TIMEOUT_MS
}

/** Tables come from code, never from requests; anything unusual is a defect. */
function toTableName(table: string): string {
  if (!/^\w+(?:\.\w+)?$/.test(table)) throw new Error(`${JSON.stringify(table)} is not a table name`)
  return table
    .split(".")
    .map((part) => `\`${part}\``)
    .join(".")
}
