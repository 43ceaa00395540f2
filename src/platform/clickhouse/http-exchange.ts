import { randomUUID } from "node:crypto"
import { addAbortSignal, type Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client"
import { AppError } from "../../kernel/errors.js"
import { EngineError, type QueryParameters, type Statement } from "./click-house.js"
import { storeUnavailable, toEngineFault } from "./engine-fault.js"
import { toParameterText } from "./parameter-text.js"
import { toMultipart } from "./request-body.js"
import { StatementSender, type WholeAnswer } from "./statement-sender.js"

/** One statement and its answer over HTTP. */
export interface Exchange {
  readonly sql: string
  readonly parameters: QueryParameters
  readonly settings: NonNullable<Statement["settings"]>
  /** Rows of an INSERT whose SQL ends in its FORMAT clause. */
  readonly body?: Readable
  readonly queryId: string
  /** Longest time to the end of the answer. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const APPLICATION = "waymark"
/** As many as the embedded engine runs statements side by side, so that none waits for a socket. */
const MAX_CONNECTIONS = 64
/** Every exchange has its own, shorter limit. */
const SOCKET_TIMEOUT_MS = 3_600_000
/** Servers and proxies refuse long URLs; longer parameters travel in the body. */
const MAX_URL_PARAMETER_CHARACTERS = 4096

interface Answer {
  readonly status: number
  readonly stream: Readable
  readonly isException: boolean
}

/** Cause of a `store_unavailable` when the answer did not come in time; the statement may still run. */
class ExchangeTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
    this.name = "ExchangeTimeout"
  }
}

/** Whether a thrown `store_unavailable` means that the answer did not come in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.details.cause instanceof ExchangeTimeout
}

interface Connected {
  readonly url: string
  /** Null for a URL that carries settings, which only the client reads. */
  readonly sender: StatementSender | null
  readonly client: ClickHouseClient
}

/**
 * Sends statements and follows a URL that changes: those that are short and read whole by node's HTTP client, all others
 * through `@clickhouse/client`.
 */
export class HttpExchange {
  readonly #readUrl: () => string
  readonly #database: string | undefined
  #connected: Connected | null = null

  constructor(readUrl: () => string, database: string | undefined) {
    this.#readUrl = readUrl
    this.#database = database
  }

  /**
   * Returns the whole answer as text.
   * @throws EngineError the engine's refusal; AppError `store_unavailable` when it cannot be reached, breaks off or does
   * not answer in time; the signal's reason once it aborts.
   */
  async exchange(exchange: Exchange): Promise<string> {
    const limit = limitTime(exchange)
    try {
      const answer = await this.#ask(exchange, limit.signal)
      if (answer.isException) throw toEngineFault(answer.status, answer.text)
      return answer.text
    } catch (error) {
      throw toExchangeFault(error, exchange.signal, limit.signal)
    } finally {
      limit.end()
    }
  }

  /**
   * Returns the answer while it comes; to be read or destroyed. A refusal before the first byte is thrown as by
   * `exchange`; an answer that breaks off later makes the stream fail.
   */
  async open(exchange: Exchange): Promise<Readable> {
    const limit = limitTime(exchange)
    try {
      const { status, stream, isException } = await this.#send(exchange, limit.signal)
      if (isException) throw toEngineFault(status, await text(stream))
      return stream.once("close", limit.end)
    } catch (error) {
      limit.end()
      throw toExchangeFault(error, exchange.signal, limit.signal)
    }
  }

  async close(): Promise<void> {
    const connected = this.#connected
    this.#connected = null
    connected?.sender?.close()
    await connected?.client.close()
  }

  async #ask(exchange: Exchange, signal: AbortSignal): Promise<WholeAnswer> {
    const { sql, settings, body, queryId } = exchange
    const { sender } = this.#connect()
    const parameters = body === undefined && sender !== null ? toUrlParameters(exchange) : null
    if (sender !== null && parameters !== null)
      return sender.send({ sql, fields: { query_id: queryId, ...settings, ...parameters }, signal })
    const { stream, ...answer } = await this.#send(exchange, signal)
    return { ...answer, text: await text(stream) }
  }

  async #send(exchange: Exchange, signal: AbortSignal): Promise<Answer> {
    const result = await this.#connect().client.exec({ ...toExecParameters(exchange), abort_signal: signal })
    const status = result.http_status_code ?? 0
    // The client stops listening to the signal once the answer has begun.
    addAbortSignal(signal, result.stream)
    const isException = status >= 300 || result.response_headers["x-clickhouse-exception-code"] !== undefined
    return { status, stream: result.stream, isException }
  }

  #connect(): Connected {
    const url = this.#readUrl()
    const before = this.#connected
    if (before?.url === url) return before
    before?.sender?.close()
    void before?.client.close()
    const database = this.#database
    const parsed = new URL(url)
    const common = { application: APPLICATION, maxConnections: MAX_CONNECTIONS }
    const sender = parsed.search === "" ? new StatementSender({ url: parsed, database, ...common }) : null
    const client = createClient({
      url,
      ...(database === undefined ? {} : { database }),
      application: APPLICATION,
      max_open_connections: MAX_CONNECTIONS,
      request_timeout: SOCKET_TIMEOUT_MS,
      keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
      log: { level: ClickHouseLogLevel.OFF },
    })
    this.#connected = { url, sender, client }
    return this.#connected
  }
}

/** A signal that aborts with the exchange's own and at its time limit, until `end` is called. */
function limitTime({ signal, timeoutMs }: Exchange): { readonly signal: AbortSignal; readonly end: () => void } {
  signal?.throwIfAborted()
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(new ExchangeTimeout(timeoutMs)), timeoutMs)
  const onAbort = (): void => giveUp.abort(signal?.reason)
  signal?.addEventListener("abort", onAbort, { once: true })
  const end = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
  return { signal: giveUp.signal, end }
}

function toExchangeFault(error: unknown, asked: AbortSignal | undefined, limit: AbortSignal): unknown {
  if (error instanceof EngineError || error instanceof AppError) return error
  if (asked?.aborted) return asked.reason
  return storeUnavailable(limit.aborted ? limit.reason : error)
}

/** Parameters as the query string takes them; null when they are too long for one. */
function toUrlParameters({ parameters }: Exchange): Record<string, string> | null {
  const fields = toFields(parameters)
  return Object.values(fields).join("").length <= MAX_URL_PARAMETER_CHARACTERS ? fields : null
}

const toFields = (parameters: QueryParameters): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`param_${name}`, toParameterText(value)]))

/** What `exec` of `@clickhouse/client` takes. Its own reading of errors is off: it mistakes capitals in brackets for a name. */
function toExecParameters(exchange: Exchange) {
  const { sql, parameters, settings, body, queryId } = exchange
  const common = { clickhouse_settings: { ...settings }, query_id: queryId, ignore_error_response: true }
  if (body !== undefined) return { ...common, query: sql, values: body }
  const fields = toUrlParameters(exchange)
  if (fields !== null) return { ...common, query: sql, clickhouse_settings: { ...settings, ...fields } }
  const boundary = `waymark-${randomUUID()}`
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` }
  const multipart = toMultipart({ query: sql, ...toFields(parameters) }, boundary)
  return { ...common, query: "", values: multipart, http_headers: headers }
}
