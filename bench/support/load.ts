import { setTimeout as pause } from "node:timers/promises"
import { RequestConnection } from "./request-connection.js"

/** What a load came to. */
export interface LoadResult {
  readonly requestsPerSecond: number
  /** Answers in the measured time, the warm-up left out. */
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers outside 2xx, connection errors and timeouts together. */
  readonly failures: number
  /** Processor time of the load maker for one request, microseconds: what the server under load cannot have. */
  readonly makerMicros: number
}

/** What is sent, and how. */
export interface Load {
  readonly url: string
  /** Gives a body; asked for some hundreds of them before the load, which are then sent over and over. */
  readonly body: () => string
  readonly headers?: Readonly<Record<string, string>>
  readonly connections?: number
  readonly seconds?: number
  /** 0 where the server is warm already. */
  readonly warmUpSeconds?: number
  /** Called between the warm-up and the measured time. */
  readonly onWarm?: () => void
}

/** The compiler is at work for the first fifty thousand requests or so; that is not what is measured. */
const WARM_UP_SECONDS = 8
const MAX_BODIES = 1_000
const MAX_BODIES_BYTES = 32 * 1024 * 1024
const ANSWER_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 500

/**
 * Warms up, then measures POSTs of JSON bodies for a fixed time. Bounded; stops by itself. Requests are made as bytes
 * beforehand and answers hardly looked into, because server and load maker share the processor: one that makes JSON and parses
 * heads in JavaScript takes as long for a small request as a bare server does.
 */
export async function measure(load: Load): Promise<LoadResult> {
  const { connections = 64, seconds = 6, warmUpSeconds = WARM_UP_SECONDS, onWarm } = load
  const requests = prepareRequests(load)
  if (warmUpSeconds > 0) await run(load.url, requests, connections, warmUpSeconds)
  onWarm?.()
  return run(load.url, requests, connections, seconds)
}

function prepareRequests({ url, body, headers = {} }: Load): Buffer[] {
  const { host, pathname, search } = new URL(url)
  const head = Object.entries({ Host: host, "Content-Type": "application/json", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")
  const requests: Buffer[] = []
  let bytes = 0
  while (requests.length < MAX_BODIES && bytes < MAX_BODIES_BYTES) {
    const text = body()
    const length = Buffer.byteLength(text)
    requests.push(Buffer.from(`POST ${pathname}${search} HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\n${text}`))
    bytes += length
  }
  return requests
}

async function run(
  url: string,
  requests: readonly Buffer[],
  connectionCount: number,
  seconds: number,
): Promise<LoadResult> {
  const { hostname, port } = new URL(url)
  const durationsMs: number[] = []
  let failures = 0
  let sent = 0
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const connections = Array.from(
    { length: connectionCount },
    () =>
      new RequestConnection({
        hostname,
        port: Number(port),
        nextRequest: () => (performance.now() < endsAt ? (requests[sent++ % requests.length] as Buffer) : null),
        onAnswer: (status, durationMs) => {
          durationsMs.push(durationMs)
          if (status < 200 || status > 299) failures++
        },
        onFault: () => failures++,
      }),
  )
  while (connections.some(({ isDone }) => !isDone)) {
    await pause(Math.min(LOOK_EVERY_MS, Math.max(1, endsAt - performance.now())))
    const isOver = performance.now() > endsAt + ANSWER_WITHIN_MS
    for (const connection of connections) {
      if (isOver) connection.end()
      else connection.giveUpAfter(ANSWER_WITHIN_MS)
    }
  }
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  durationsMs.sort((left, right) => left - right)
  const requestCount = durationsMs.length
  return {
    requestsPerSecond: requestCount / elapsedSeconds,
    requests: requestCount,
    p50Ms: quantile(durationsMs, 0.5),
    p99Ms: quantile(durationsMs, 0.99),
    failures,
    makerMicros: (user + system) / Math.max(1, requestCount),
  }
}

const quantile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
