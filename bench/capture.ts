import { type CpuSeconds, cpuBetween, cpuSecondsOf } from "./support/cpu.js"
import { type LoadResult, measure } from "./support/load.js"
import { batchBody, singleEventBody } from "./support/payloads.js"
import { startBareServer, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"
import { waitUntilDrained } from "./support/wait.js"

/**
 * Durable capture against a bare node:http server that only parses the same body, in one run: requests a second, and the
 * processor time of one request, which says more when the machine is shared. Capture alone (`ROLES=web`) and with ingestion.
 */
const BATCH_SIZE = 100
const MICROSECONDS = 1_000_000

interface Measured {
  readonly load: LoadResult
  readonly requests: number
  readonly cpu: CpuSeconds
}

async function run(pid: number, url: string, body: () => string, connections: number): Promise<Measured> {
  let before = cpuSecondsOf(pid)
  const load = await measure({ url, body, connections, onWarm: () => (before = cpuSecondsOf(pid)) })
  return { load, requests: load.requests, cpu: cpuBetween(before, cpuSecondsOf(pid)) }
}

const bare = await startBareServer()
const baseline = await run(bare.pid, bare.url, singleEventBody, 64)
await bare.stop()

const web = await startWaymark({ environment: { ROLES: "web" } })
const singleAlone = await run(web.pid, `${web.url}/i/v0/e/`, singleEventBody, 64)
const batchAlone = await run(web.pid, `${web.url}/batch/`, () => batchBody(BATCH_SIZE), 16)
await web.stop()

const server = await startWaymark()
const single = await run(server.pid, `${server.url}/i/v0/e/`, singleEventBody, 64)
await waitUntilDrained(server.url)
const batch = await run(server.pid, `${server.url}/batch/`, () => batchBody(BATCH_SIZE), 16)
const drainSeconds = await waitUntilDrained(server.url)
await server.stop()

const microsecondsOf = ({ cpu, requests }: Measured): number => (cpu.own * MICROSECONDS) / requests
const row = (what: string, measured: Measured, events: number): string[] => {
  const { load, cpu, requests } = measured
  return [
    what,
    Math.round(load.requestsPerSecond).toLocaleString("en"),
    Math.round(load.requestsPerSecond * events).toLocaleString("en"),
    (load.requestsPerSecond / baseline.load.requestsPerSecond).toFixed(2),
    microsecondsOf(measured).toFixed(0),
    ((cpu.children * MICROSECONDS) / requests).toFixed(0),
    load.p50Ms.toFixed(1),
    load.p99Ms.toFixed(1),
    String(load.failures),
  ]
}
printTable(
  ["", "requests/s", "events/s", "ratio to bare", "CPU µs/request", "children's", "p50 ms", "p99 ms", "failures"],
  [
    row("bare node:http, parses JSON", baseline, 1),
    row("single, capture alone", singleAlone, 1),
    row(`batches of ${BATCH_SIZE}, capture alone`, batchAlone, BATCH_SIZE),
    row("single, with ingestion", single, 1),
    row(`batches of ${BATCH_SIZE}, with ingestion`, batch, BATCH_SIZE),
  ],
)
const gain = (batch.load.requestsPerSecond * BATCH_SIZE) / single.load.requestsPerSecond
process.stdout.write(`\nBatches of ${BATCH_SIZE} carry ${gain.toFixed(1)} times the events/s of single capture.\n`)
process.stdout.write(
  `Processor time, bare to single alone: ${(microsecondsOf(baseline) / microsecondsOf(singleAlone)).toFixed(2)}.\n`,
)
process.stdout.write(`The backlog of the batches was stored ${drainSeconds.toFixed(1)} s after the last answer.\n`)
