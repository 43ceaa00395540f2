import { randomUUID } from "node:crypto"
import { addAbortSignal, type Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client"
import { AppError } from "../../kernel/errors.js"
import { EngineError, type QueryParameters, type Statement } from "./click-house.js"
import { storeUnavailable, toEngineFault } from "./engine-fault.js"
import { toParameterText } from "./parameter-text.js"
import { toMultipart } from "./request-body.js"

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

/** Sends statements through `@clickhouse/client` and follows a URL that changes. */
export class HttpExchange {
  readonly #readUrl: () => string
  readonly #database: string | undefined
  #url = ""
  #client: ClickHouseClient | null = null

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
      const { status, stream, isException } = await this.#send(exchange, limit.signal)
      const answer = await text(stream)
      if (isException) throw toEngineFault(status, answer)
      return answer
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
    await this.#client?.close()
    this.#client = null
  }

  async #send(exchange: Exchange, signal: AbortSignal): Promise<Answer> {
    const result = await this.#connect().exec({ ...toExecParameters(exchange), abort_signal: signal })
    const status = result.http_status_code ?? 0
    // The client stops listening to the signal once the answer has begun.
    addAbortSignal(signal, result.stream)
    const isException = status >= 300 || result.response_headers["x-clickhouse-exception-code"] !== undefined
    return { status, stream: result.stream, isException }
  }

  #connect(): ClickHouseClient {
    const url = this.#readUrl()
    if (this.#client !== null && url === this.#url) return this.#client
    void this.#client?.close()
    this.#url = url
    this.#client = createClient({
      url,
      ...(this.#database === undefined ? {} : { database: this.#database }),
      application: "waymark",
      max_open_connections: MAX_CONNECTIONS,
      request_timeout: SOCKET_TIMEOUT_MS,
      keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
      log: { level: ClickHouseLogLevel.OFF },
    })
    return this.#client
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

/** What `exec` of `@clickhouse/client` takes. Its own reading of errors is off: it mistakes capitals in brackets for a name. */
function toExecParameters({ sql, parameters, settings, body, queryId }: Exchange) {
  const common = { clickhouse_settings: { ...settings }, query_id: queryId, ignore_error_response: true }
  if (body !== undefined) return { ...common, query: sql, values: body }
  const fields = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [`param_${name}`, toParameterText(value)]),
  )
  if (Object.values(fields).join("").length <= MAX_URL_PARAMETER_CHARACTERS)
    return { ...common, query: sql, clickhouse_settings: { ...settings, ...fields } }
  const boundary = `waymark-${randomUUID()}`
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` }
  return { ...common, query: "", values: toMultipart({ query: sql, ...fields }, boundary), http_headers: headers }
}
