import { once } from "node:events"
import type { ServerResponse } from "node:http"
import type { Json } from "../../kernel/json.js"

/** One event of a stream. */
export interface ServerSentEvent {
  /** What a client names as `Last-Event-ID` when it comes back. */
  readonly id: string
  readonly event: string
  /** Absent where the name says all. */
  readonly data?: Json
  /** Whether nothing can follow it. */
  readonly isLast: boolean
}

export interface EventStreamOptions {
  readonly headers: Readonly<Record<string, string>>
  /** Aborts when the client has left or the server stops. */
  readonly signal: AbortSignal
  readonly heartbeatMs?: number
}

/** Shorter than the idle time-out of common proxies (60 s). */
const HEARTBEAT_MS = 15_000
const RETRY_MS = 2_000
const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  // Some proxies hold events back without it.
  "X-Accel-Buffering": "no",
}

/**
 * Sends events as `text/event-stream` until they end or the signal aborts; the head leaves at once, whether there is a first
 * one or not. A comment now and then keeps the connection open and shows a client that the server is there. The source is
 * made to end in every case.
 */
export async function sendEvents(
  response: ServerResponse,
  first: ServerSentEvent | null,
  rest: AsyncIterator<ServerSentEvent>,
  { headers, signal, heartbeatMs = HEARTBEAT_MS }: EventStreamOptions,
): Promise<void> {
  const leave = (): void => void rest.return?.()
  signal.addEventListener("abort", leave, { once: true })
  const beat = setInterval(() => response.write(": still here\n\n"), heartbeatMs)
  try {
    response.writeHead(200, { ...HEADERS, ...headers })
    response.write(`retry: ${RETRY_MS}\n\n`)
    let next = first
    while (!signal.aborted) {
      next ??= await readNext(rest)
      if (next === null || signal.aborted) break
      if (!response.write(toText(next))) await once(response, "drain", { signal })
      next = null
    }
  } catch (failure) {
    if (!signal.aborted) throw failure
  } finally {
    clearInterval(beat)
    signal.removeEventListener("abort", leave)
    await rest.return?.()
    response.end()
  }
}

async function readNext(events: AsyncIterator<ServerSentEvent>): Promise<ServerSentEvent | null> {
  const result = await events.next()
  return result.done ? null : result.value
}

const written = new WeakMap<ServerSentEvent, string>()

/** An event that many streams share is written once. JSON has no line ends of its own, so the data is one line. */
function toText(shown: ServerSentEvent): string {
  const text = written.get(shown) ?? write(shown)
  written.set(shown, text)
  return text
}

const write = ({ id, event, data }: ServerSentEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${data === undefined ? "" : JSON.stringify(data)}\n\n`
