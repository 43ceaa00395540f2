import { randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import { type Dispatcher, Pool } from "undici"
import { AppError } from "../../kernel/errors.js"
import { currentTrace, inSpan, type SpanStart } from "../../kernel/trace.js"
import { EngineError, type Statement, type StatementCount } from "./click-house.js"
import { storeUnavailable, toEngineFault } from "./engine-fault.js"
import { toParameterText } from "./parameter-text.js"
import { toMultipart } from "./request-body.js"

/** One statement as it is sent. */
export interface SentStatement {
  readonly sql: string
  readonly parameters?: Statement["parameters"]
  readonly settings?: Statement["settings"]
  /** Rows of an INSERT whose SQL ends in its FORMAT clause. */
  readonly rows?: Readable
  /** Their size, where it is known: who reads them then takes as much memory at once. */
  readonly rowsByteCount?: number | null
  readonly queryId: string
  /** Longest time to the end of the answer. */
  readonly timeoutMs: number
  readonly maxAnswerBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** As many as the embedded engine runs statements side by side, so that none waits for a socket. */
const MAX_CONNECTIONS = 64
/**
 * Servers close a socket that is idle for 3 to 30 s, and a statement sent while the end is on its way is lost. The pool's
 * timer is late when the process was busy, so it gets two seconds for that.
 */
const IDLE_SOCKET_MS = 1_000
/** Servers and proxies refuse long URLs; longer parameters travel in the body. */
const MAX_URL_PARAMETER_CHARACTERS = 4096

/** Cause of a `store_unavailable` when the answer did not come in time; the statement may still run. */
class AnswerTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
    this.name = "AnswerTimeout"
  }
}

/** Whether a thrown `store_unavailable` means that the answer did not come in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.details.cause instanceof AnswerTimeout
}

/** Leaving the loop ends the connection, and with it the engine's work. */
async function readAtMost(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const read of body) {
    const chunk: Buffer = read
    bytes += chunk.length
    if (bytes > maxBytes) throw new AppError("result_too_large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes).toString()
}

interface Target {
  readonly url: string
  readonly pool: Pool
  readonly headers: Readonly<Record<string, string>>
  /** For the query string of every statement: the database, and what the URL's own query string says. */
  readonly fields: Readonly<Record<string, string>>
}

/** Sends statements to ClickHouse's HTTP interface over a pool of connections, and follows a URL that changes. */
export class HttpTransport {
  private target: Target | null = null

  constructor(
    private readonly readUrl: () => string,
    private readonly database: string | undefined,
  ) {}

  /**
   * Returns the whole answer as text.
   * @throws EngineError the engine's refusal; AppError `store_unavailable` when it cannot be reached, breaks off or does
   * not answer in time; the signal's reason once it aborts.
   */
  send(statement: SentStatement): Promise<string> {
    return inSpan(describe(statement), () => this.sendNow(statement))
  }

  /**
   * Returns the answer while it comes; to be read or destroyed. A refusal before the first byte is thrown as by `send`;
   * an answer that breaks off later makes the stream fail.
   */
  open(statement: SentStatement): Promise<Readable> {
    return inSpan(describe(statement), () => this.openNow(statement))
  }

  private async sendNow(statement: SentStatement): Promise<string> {
    const limit = limitTime(statement)
    try {
      const body = await this.request(statement, limit.signal)
      return statement.maxAnswerBytes === undefined
        ? await body.text()
        : await readAtMost(body, statement.maxAnswerBytes)
    } catch (error) {
      throw toFault(error, statement.signal, limit.signal)
    } finally {
      limit.end()
    }
  }

  private async openNow(statement: SentStatement): Promise<Readable> {
    const limit = limitTime(statement)
    try {
      const body = await this.request(statement, limit.signal)
      return body.once("close", limit.end)
    } catch (error) {
      limit.end()
      throw toFault(error, statement.signal, limit.signal)
    }
  }

  /** Statements that have a connection, and those that wait for one. */
  countStatements(): StatementCount {
    const { running = 0, queued = 0 } = this.target?.pool.stats ?? {}
    return { running, waiting: queued }
  }

  async close(): Promise<void> {
    const target = this.target
    this.target = null
    await target?.pool.destroy()
  }

  private async request(statement: SentStatement, signal: AbortSignal): Promise<Dispatcher.ResponseData["body"]> {
    const { pool, headers, fields: ofAll } = this.findTarget()
    const { fields, body, contentType } = toRequest(statement)
    const {
      statusCode,
      headers: answered,
      body: answer,
    } = await pool.request({
      method: "POST",
      path: `/?${new URLSearchParams({ ...ofAll, ...fields })}`,
      headers: { ...headers, "content-type": contentType, ...toLengthHeader(statement), ...toTraceHeader() },
      body,
      signal,
    })
    if (statusCode < 300 && answered["x-clickhouse-exception-code"] === undefined) return answer
    throw toEngineFault(statusCode, await answer.text())
  }

  private findTarget(): Target {
    const url = this.readUrl()
    if (this.target?.url === url) return this.target
    void this.target?.pool.destroy()
    this.target = openTarget(url, this.database)
    return this.target
  }
}

/** The database that a URL names by its path or a field; empty where it leaves that to the user's default. */
export function readDatabase(url: string): string {
  const { pathname, searchParams } = new URL(url)
  return decodeURIComponent(pathname.slice(1)) || (searchParams.get("database") ?? "")
}

/** `url` may have a query string, which then goes with every statement (settings, a role). */
function openTarget(url: string, database: string | undefined): Target {
  const { origin, username, password, searchParams } = new URL(url)
  const chosen = database ?? readDatabase(url)
  const user = decodeURIComponent(username) || "default"
  const credentials = Buffer.from(`${user}:${decodeURIComponent(password)}`).toString("base64")
  return {
    url,
    // Statements have time limits of their own.
    pool: new Pool(origin, {
      connections: MAX_CONNECTIONS,
      keepAliveTimeout: IDLE_SOCKET_MS,
      keepAliveMaxTimeout: IDLE_SOCKET_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
    headers: { authorization: `Basic ${credentials}`, "user-agent": "waymark" },
    fields: { ...Object.fromEntries(searchParams), ...(chosen !== "" && { database: chosen }) },
  }
}

interface Request {
  /** Of the query string. */
  readonly fields: Record<string, string>
  readonly body: string | Buffer | Readable
  readonly contentType: string
}

/** Settings and short parameters go into the query string; a long list of parameters goes into the body with the SQL. */
function toRequest({ sql, parameters = {}, settings = {}, rows, queryId }: SentStatement): Request {
  const fields: Record<string, string> = { query_id: queryId }
  for (const [name, value] of Object.entries(settings)) fields[name] = String(value)
  if (rows !== undefined) return { fields: { ...fields, query: sql }, body: rows, contentType: "text/plain" }
  const bound = Object.entries(parameters).map(([name, value]) => [`param_${name}`, toParameterText(value)] as const)
  const isLong = bound.reduce((length, [, text]) => length + text.length, 0) > MAX_URL_PARAMETER_CHARACTERS
  if (!isLong) return { fields: { ...fields, ...Object.fromEntries(bound) }, body: sql, contentType: "text/plain" }
  const boundary = `waymark-${randomUUID()}`
  const body = toMultipart({ query: sql, ...Object.fromEntries(bound) }, boundary)
  return { fields, body, contentType: `multipart/form-data; boundary=${boundary}` }
}

const toLengthHeader = ({ rowsByteCount }: SentStatement): Record<string, string> =>
  typeof rowsByteCount === "number" ? { "content-length": String(rowsByteCount) } : {}

/** A server adds its own spans to the trace; the embedded engine reads no such header. */
function toTraceHeader(): Record<string, string> {
  const traceparent = currentTrace()
  return traceparent === null ? {} : { traceparent }
}

/** By the first word and the id under which the engine's own log has the rest, values included. */
function describe({ sql, queryId }: SentStatement): SpanStart {
  const operation = /\w+/.exec(sql)?.[0].toUpperCase() ?? ""
  const attributes = { "db.system.name": "clickhouse", "db.operation.name": operation, "clickhouse.query_id": queryId }
  return { name: `ClickHouse ${operation}`, kind: "client", attributes }
}

/** A signal that aborts with the statement's own and at its time limit, until `end` is called. */
function limitTime({ signal, timeoutMs }: SentStatement): { readonly signal: AbortSignal; readonly end: () => void } {
  signal?.throwIfAborted()
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(new AnswerTimeout(timeoutMs)), timeoutMs)
  const onAbort = (): void => giveUp.abort(signal?.reason)
  signal?.addEventListener("abort", onAbort, { once: true })
  const end = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
  return { signal: giveUp.signal, end }
}

function toFault(error: unknown, asked: AbortSignal | undefined, limit: AbortSignal): unknown {
  if (error instanceof EngineError || error instanceof AppError) return error
  if (asked?.aborted) return asked.reason
  return storeUnavailable(limit.aborted ? limit.reason : error)
}
