import { Agent, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http"
import { request as requestHttps, Agent as SecureAgent } from "node:https"
import type { Socket } from "node:net"

/** A statement that fits into a URL and one text. */
export interface SentStatement {
  readonly sql: string
  /** Settings, parameters and the statement's id, as the query string takes them. */
  readonly fields: Readonly<Record<string, string | number>>
  /** Aborting breaks the exchange off. */
  readonly signal: AbortSignal
}

/** An answer that was read to its end. */
export interface WholeAnswer {
  readonly status: number
  readonly isException: boolean
  readonly text: string
}

export interface StatementSenderOptions {
  /** `http(s)://user:password@host:port/database` without a query string. */
  readonly url: URL
  /** Overrides the URL's database. */
  readonly database: string | undefined
  readonly application: string
  readonly maxConnections: number
}

/** Servers close what is idle for 3 to 30 s; a socket must not be used while its end is on the way. */
const IDLE_SOCKET_MS = 2_500

/**
 * Sends statements and reads whole answers over node's own HTTP client, in one write each. What has no rows to send and none to
 * hand on while they come needs no more, and `@clickhouse/client` lets a timer run out before every request (1.1 ms,
 * decision 0033).
 */
export class StatementSender {
  readonly #agent: Agent
  readonly #freeSince = new WeakMap<Socket, number>()
  readonly #request: typeof requestHttp
  readonly #target: RequestOptions
  readonly #headers: Readonly<Record<string, string>>
  readonly #database: string

  constructor({ url, database, application, maxConnections }: StatementSenderOptions) {
    const isSecure = url.protocol === "https:"
    const settings = { keepAlive: true, maxSockets: maxConnections, timeout: IDLE_SOCKET_MS }
    this.#agent = isSecure ? new SecureAgent(settings) : new Agent(settings)
    this.#agent.on("free", (socket: Socket) => this.#freeSince.set(socket, performance.now()))
    this.#request = isSecure ? requestHttps : requestHttp
    this.#target = {
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      method: "POST",
      agent: this.#agent,
    }
    const user = decodeURIComponent(url.username) || "default"
    const credentials = Buffer.from(`${user}:${decodeURIComponent(url.password)}`).toString("base64")
    this.#headers = {
      Authorization: `Basic ${credentials}`,
      "User-Agent": application,
      "Content-Type": "text/plain; charset=UTF-8",
    }
    this.#database = database ?? decodeURIComponent(url.pathname.slice(1))
  }

  /** Rejects with what broke the exchange off: an error of the socket, or the signal's reason. */
  send({ sql, fields, signal }: SentStatement): Promise<WholeAnswer> {
    this.#endIdleSockets()
    const query = new URLSearchParams(fields as Record<string, string>)
    if (this.#database !== "") query.set("database", this.#database)
    const headers = { ...this.#headers, "Content-Length": Buffer.byteLength(sql) }
    return new Promise((resolve, reject) => {
      const request = this.#request({ ...this.#target, path: `/?${query}`, headers })
      const onAbort = (): void => void request.destroy(signal.reason)
      const fail = (failure: Error): void => {
        signal.removeEventListener("abort", onAbort)
        reject(failure)
      }
      signal.addEventListener("abort", onAbort, { once: true })
      request.on("error", fail)
      request.once("response", (response) => {
        response.on("error", fail)
        readAnswer(response, (answer) => {
          signal.removeEventListener("abort", onAbort)
          resolve(answer)
        })
      })
      request.end(sql)
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  /** The agent's own timer is late when the process was busy. */
  #endIdleSockets(): void {
    const sinceMs = performance.now() - IDLE_SOCKET_MS
    for (const sockets of Object.values(this.#agent.freeSockets))
      for (const socket of sockets ?? []) if ((this.#freeSince.get(socket) ?? sinceMs) <= sinceMs) socket.destroy()
  }
}

function readAnswer(response: IncomingMessage, onAnswer: (answer: WholeAnswer) => void): void {
  const pieces: Buffer[] = []
  response.on("data", (piece: Buffer) => pieces.push(piece))
  response.once("end", () => {
    const status = response.statusCode ?? 0
    const isException = status >= 300 || response.headers["x-clickhouse-exception-code"] !== undefined
    const text = (pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)).toString("utf8")
    onAnswer({ status, isException, text })
  })
}
