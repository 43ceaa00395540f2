import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { memoryByProgram, memoryOfTree } from "./memory.js"
import { batchBody } from "./payloads.js"
import { PERSONAL_KEY, PROJECT_KEY, startWaymark } from "./server.js"

const BATCH_SIZE = 100
const PROBE_EVERY_MS = 100
const POLL_MS = 50
const WARM_UP_MS = 8_000
const GIVE_UP_AFTER_MS = 30_000

/** How long accepted events take to be seen by queries. */
export interface Visibility {
  /** Milliseconds from the 200 to the answer of the first query that shows the event. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly probes: number
  /** Of all processes together, at the moment when that was highest. */
  readonly peakMegabytes: number
  /** The highest of each program, at moments of their own. */
  readonly peakByProgram: ReadonlyMap<string, number>
}

/** Loads a server at a steady rate and sends single events beside it; one query at a time asks for all that are not seen yet. */
export async function measureVisibility(load: { eventsPerSecond: number; seconds: number }): Promise<Visibility> {
  const server = await startWaymark()
  let isLoaded = true
  const loading = keepSending(server.url, load.eventsPerSecond / BATCH_SIZE, () => !isLoaded)
  await pause(WARM_UP_MS)
  const probes = new Probes(server.url)
  let isProbing = true
  const probing = probes.keepSending(() => !isProbing)
  const peakByProgram = new Map<string, number>()
  let peakMegabytes = 0
  const endsAtMs = performance.now() + load.seconds * 1000
  while (performance.now() < endsAtMs) {
    await probes.look()
    peakMegabytes = Math.max(peakMegabytes, memoryOfTree(server.pid).proportionalMegabytes)
    for (const [program, megabytes] of memoryByProgram(server.pid))
      peakByProgram.set(program, Math.max(peakByProgram.get(program) ?? 0, megabytes))
    await pause(POLL_MS)
  }
  isProbing = false
  await probing
  await probes.lookUntilAllSeen()
  isLoaded = false
  await loading
  await server.stop()
  const waits = probes.waits.sort((a, b) => a - b)
  const quantile = (part: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), probes: waits.length, peakMegabytes, peakByProgram }
}

/** Single events, and when each was acknowledged. */
class Probes {
  readonly waits: number[] = []
  readonly #acknowledgedAtMs = new Map<string, number>()

  constructor(private readonly url: string) {}

  async keepSending(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const uuid = randomUUID()
      const event = { api_key: PROJECT_KEY, event: "probe", distinct_id: "probe", uuid }
      await post(`${this.url}/i/v0/e/`, JSON.stringify(event))
      this.#acknowledgedAtMs.set(uuid, performance.now())
      await pause(PROBE_EVERY_MS)
    }
  }

  /** Asks once for all events that were not seen before. */
  async look(): Promise<void> {
    const wanted = [...this.#acknowledgedAtMs.keys()].map((uuid) => `'${uuid}'`)
    if (wanted.length === 0) return
    const query = `SELECT toString(uuid) FROM events WHERE event = 'probe' AND uuid IN (${wanted}) LIMIT 10000`
    const body = JSON.stringify({ query: { kind: "HogQLQuery", query }, refresh: "force_blocking" })
    const answer = JSON.parse(await post(`${this.url}/api/environments/@current/query/`, body))
    for (const [uuid] of answer.results as [string][]) {
      this.waits.push(performance.now() - (this.#acknowledgedAtMs.get(uuid) ?? Number.NaN))
      this.#acknowledgedAtMs.delete(uuid)
    }
  }

  async lookUntilAllSeen(): Promise<void> {
    const startedAtMs = performance.now()
    while (this.#acknowledgedAtMs.size > 0) {
      if (performance.now() - startedAtMs > GIVE_UP_AFTER_MS)
        throw new Error(
          `acknowledged and not to be seen after ${GIVE_UP_AFTER_MS} ms: ${this.#acknowledgedAtMs.size} events`,
        )
      await this.look()
      await pause(POLL_MS)
    }
  }
}

async function keepSending(url: string, batchesPerSecond: number, isDone: () => boolean): Promise<void> {
  const startedAtMs = performance.now()
  for (let sent = 0; !isDone(); sent++) {
    await pause(Math.max(0, startedAtMs + (sent * 1000) / batchesPerSecond - performance.now()))
    await post(`${url}/batch/`, batchBody(BATCH_SIZE))
  }
}

async function post(url: string, body: string): Promise<string> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${PERSONAL_KEY}` }
  const response = await fetch(url, { method: "POST", headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  return text
}
