import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { memoryOfTree } from "./memory.js"
import { batchBody } from "./payloads.js"
import { PERSONAL_KEY, PROJECT_KEY, startWaymark } from "./server.js"

const BATCH_SIZE = 100
const PROBE_EVERY_MS = 150
const POLL_MS = 50
const WARM_UP_MS = 5_000
const GIVE_UP_AFTER_MS = 30_000

export interface Visibility {
  /** Milliseconds from the 200 to the answer of the first query that shows the event. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly probes: number
  readonly peakMegabytes: number
}

/** Loads a server at a steady rate and sends single events beside it, one after the other, each asked for until a query shows it. */
export async function measureVisibility(load: { eventsPerSecond: number; seconds: number }): Promise<Visibility> {
  const server = await startWaymark()
  const waits: number[] = []
  let peakMegabytes = 0
  let isDone = false
  const loading = keepSending(server.url, load.eventsPerSecond / BATCH_SIZE, () => isDone)
  await pause(WARM_UP_MS)
  const endsAtMs = performance.now() + load.seconds * 1000
  while (performance.now() < endsAtMs) {
    waits.push(await probe(server.url))
    peakMegabytes = Math.max(peakMegabytes, memoryOfTree(server.pid).proportionalMegabytes)
    await pause(PROBE_EVERY_MS)
  }
  isDone = true
  await loading
  await server.stop()
  waits.sort((a, b) => a - b)
  const quantile = (part: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), probes: waits.length, peakMegabytes }
}

async function keepSending(url: string, batchesPerSecond: number, isDone: () => boolean): Promise<void> {
  const startedAtMs = performance.now()
  for (let sent = 0; !isDone(); sent++) {
    await pause(Math.max(0, startedAtMs + (sent * 1000) / batchesPerSecond - performance.now()))
    await post(`${url}/batch/`, batchBody(BATCH_SIZE))
  }
}

async function probe(url: string): Promise<number> {
  const uuid = randomUUID()
  await post(`${url}/i/v0/e/`, JSON.stringify({ api_key: PROJECT_KEY, event: "probe", distinct_id: "probe", uuid }))
  const acknowledgedAtMs = performance.now()
  const query = `SELECT count() FROM events WHERE event = 'probe' AND uuid = '${uuid}'`
  const body = JSON.stringify({ query: { kind: "HogQLQuery", query }, refresh: "force_blocking" })
  while (performance.now() - acknowledgedAtMs < GIVE_UP_AFTER_MS) {
    const { results } = JSON.parse(await post(`${url}/api/environments/@current/query/`, body)) as {
      results: number[][]
    }
    if (results[0]?.[0] === 1) return performance.now() - acknowledgedAtMs
    await pause(POLL_MS)
  }
  throw new Error(`event ${uuid} was acknowledged and not to be seen after ${GIVE_UP_AFTER_MS} ms`)
}

async function post(url: string, body: string): Promise<string> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${PERSONAL_KEY}` }
  const response = await fetch(url, { method: "POST", headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  return text
}
