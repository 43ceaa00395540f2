import { Agent, type IncomingMessage, request } from "node:http"
import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import type { Target, Tenant } from "./attack.types.js"

/** An answer, its body read. */
export interface Answer {
  readonly status: number
  /** Of an error the beginning; else empty unless it was asked for. */
  readonly body: Buffer
}

/** A request of an attack. */
export interface AttackRequest {
  /** POST with a body and GET without one, when absent. */
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Whether the answer's bytes are kept; they are thrown away as they come otherwise. */
  readonly isRead?: boolean
}

const JSON_BODY = { "Content-Type": "application/json" }
const ASK_EVERY_MS = 200
const DRAIN_WITHIN_MS = 90_000
/** An attack that is refused at once tries again after this, as a program does that is left alone. */
const REFUSED_PAUSE_MS = 20
const MAX_ERROR_BYTES = 2_000
const OPENED_AT_ONCE = 50
const OPEN_PAUSE_MS = 10
const BATCH_BYTES = 4 * 1024 * 1024

/** Sends what an attack wants to be sent, from an address of its own, and counts what came back. */
export class Attacker {
  /** How often each status, error or other outcome was seen. */
  readonly outcomes = new Map<string, number>()
  /** Where it speaks from. All of the loopback network reaches the server: limits by address tell it from the neighbour. */
  readonly address = "127.0.0.2"
  readonly hostname: string
  readonly port: number
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 4_000 })
  private readonly sockets = new Set<Socket>()

  constructor(readonly target: Target) {
    const { hostname, port } = new URL(target.url)
    this.hostname = hostname
    this.port = Number(port)
  }

  get tenant(): Tenant {
    return this.target.tenant
  }

  get bearer(): Readonly<Record<string, string>> {
    return { Authorization: `Bearer ${this.tenant.personalKey}` }
  }

  /** Path of the attacker's own project. */
  path(rest: string): string {
    return `/api/environments/${this.tenant.projectId}/${rest}`
  }

  count(outcome: string, times = 1): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + times)
  }

  /** Sends a request and counts its status; null when there was no answer, the reason being counted. */
  async send(sent: AttackRequest, signal?: AbortSignal): Promise<Answer | null> {
    try {
      const answer = await this.exchange(sent, signal)
      this.count(nameOf(answer))
      return answer
    } catch (failure) {
      this.count(signal?.aborted ? "under way at the end" : reasonOf(failure))
      return null
    }
  }

  /** As `send`, with the personal key and a body of JSON. */
  sendOwn(path: string, body: unknown, signal?: AbortSignal): Promise<Answer | null> {
    return this.send({ path: this.path(path), headers: this.bearer, body: JSON.stringify(body) }, signal)
  }

  /** Runs HogQL and waits for the answer. */
  query(sql: string, signal?: AbortSignal): Promise<Answer | null> {
    return this.sendOwn("query/", { query: { kind: "HogQLQuery", query: sql }, refresh: "force_blocking" }, signal)
  }

  /** Does something over and over in parallel until the signal aborts; `index` counts over all of them. */
  async repeat(parallel: number, signal: AbortSignal, act: (index: number) => Promise<unknown>): Promise<void> {
    let index = 0
    const one = async (): Promise<void> => {
      while (!signal.aborted) {
        const startedAt = performance.now()
        await act(index++)
        if (performance.now() - startedAt < 1) await this.rest(REFUSED_PAUSE_MS, signal)
      }
    }
    await Promise.all(Array.from({ length: parallel }, one))
  }

  /** Waits, at most until the signal aborts. */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, undefined, { signal }).catch(() => undefined)
  }

  /** Opens a connection and writes `head`; counts when the server closes it before the signal aborts. */
  open(head: Buffer | string, signal: AbortSignal): Socket {
    const socket = connect({ host: this.hostname, port: this.port, localAddress: this.address })
    this.sockets.add(socket)
    socket.on("connect", () => {
      this.count("connected")
      socket.write(head)
    })
    socket.on("error", (failure) => this.count(reasonOf(failure)))
    socket.on("close", () => {
      if (!signal.aborted) this.count("closed by the server")
      this.sockets.delete(socket)
    })
    return socket
  }

  /** Opens so many connections, some at a time, and holds them until the signal aborts. */
  async hold(howMany: number, signal: AbortSignal, openOne: (index: number) => unknown): Promise<void> {
    for (let index = 0; index < howMany && !signal.aborted; index++) {
      openOne(index)
      if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await this.rest(OPEN_PAUSE_MS, signal)
    }
    await untilAborted(signal)
  }

  /** Data of a GraphQL operation. @throws Error with the answer when it has no data. */
  async graphql<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const body = JSON.stringify({ query, variables })
    const answer = await this.exchange({ path: "/graphql", headers: this.bearer, body, isRead: true })
    const { data } = JSON.parse(answer.body.toString()) as { data?: T | null }
    if (data == null) throw new Error(`${answer.status}: ${answer.body}`)
    return data
  }

  /** Has events stored, in batches, and waits for it. @throws Error when they are refused or do not get stored. */
  async store(events: Iterable<object>): Promise<void> {
    let [batch, bytes]: [string[], number] = [[], 0]
    const flush = async (): Promise<void> => {
      if (batch.length > 0) await this.mustSend(`{"api_key":"${this.tenant.projectKey}","batch":[${batch.join(",")}]}`)
      batch = []
      bytes = 0
    }
    for (const event of events) {
      const text = JSON.stringify(event)
      batch.push(text)
      bytes += text.length
      if (bytes > BATCH_BYTES) await flush()
    }
    await flush()
    await this.drained()
  }

  /** Ends all connections. */
  close(): void {
    this.agent.destroy()
    for (const socket of this.sockets) socket.destroy()
  }

  private async mustSend(body: string): Promise<void> {
    const { status, body: said } = await this.exchange({ path: "/batch/", body, isRead: true })
    if (status !== 200) throw new Error(`the attacker's data was refused: ${status} ${said}`)
  }

  private async drained(): Promise<void> {
    const givenUpAt = performance.now() + DRAIN_WITHIN_MS
    const askedAt = new Date().toISOString()
    for (;;) {
      const { body } = await this.exchange({ path: "/_readyz", isRead: true })
      const { ingestion } = JSON.parse(body.toString()) as { ingestion: Record<"accepted" | "stored", number> & At }
      if (ingestion.measured_at > askedAt && ingestion.stored >= ingestion.accepted) return
      if (performance.now() > givenUpAt) throw new Error("the attacker's data does not get stored")
      await pause(ASK_EVERY_MS)
    }
  }

  private exchange(sent: AttackRequest, signal?: AbortSignal): Promise<Answer> {
    const { body, path, isRead = false } = sent
    const { hostname, port, agent } = this
    const headers = {
      ...(body !== undefined && { ...JSON_BODY, "Content-Length": Buffer.byteLength(body) }),
      ...sent.headers,
    }
    const method = sent.method ?? (body === undefined ? "GET" : "POST")
    return new Promise((resolve, reject) => {
      const made = request({ hostname, port, path, method, headers, agent, localAddress: this.address, signal })
      made.on("error", reject)
      made.on("response", (response) => readAnswer(response, isRead).then(resolve, reject))
      made.end(body)
    })
  }
}

interface At {
  readonly measured_at: string
}

async function readAnswer(response: IncomingMessage, isRead: boolean): Promise<Answer> {
  const status = response.statusCode ?? 0
  const maxBytes = isRead ? Number.POSITIVE_INFINITY : status >= 400 ? MAX_ERROR_BYTES : 0
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < maxBytes) chunks.push(chunk)
    bytes += chunk.length
  }
  return { status, body: Buffer.concat(chunks) }
}

/** The status, and the code of an error where its body has one. */
function nameOf({ status, body }: Answer): string {
  const code = status < 400 ? undefined : /"code":"(\w+)"/.exec(body.toString("latin1"))?.[1]
  return code === undefined ? String(status) : `${status} ${code}`
}

/** Resolves once the signal has aborted. */
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** One of several, by a number that counts up. */
export function inTurn<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T
}

/** Makes something the first time it is asked for: bodies that take long to make are made in `prepare`. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const reasonOf = (failure: unknown): string =>
  (failure as NodeJS.ErrnoException).code ?? (failure instanceof Error ? failure.name : String(failure))
