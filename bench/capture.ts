import { type CpuSeconds, cpuBetween, cpuSecondsOf } from "./support/cpu.js"
import { type LoadResult, measure } from "./support/load.js"
import { batchBody, singleEventBody } from "./support/payloads.js"
import { startBareServer, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"
import { waitUntilDrained } from "./support/wait.js"

/**
 * Durable capture against a bare node:http server that only parses the same body, in one run and with as many
 * connections: requests a second, and the processor time of one request, which says more when the machine is shared.
 * Capture alone (`ROLES=web`) and with ingestion. With 64 connections a commit's latency bounds the rate; a server for
 * many SDKs has more. SDKs of servers send 20 events at a time when they have them and at most 100
 * (`docs/contract/sdk-wire.md#batches`).
 */
const FEW = 64
const MANY = 256
const ALREADY_WARM = { warmUpSeconds: 2 }
const BATCH_SIZE = 100
const OTHER_BATCH_SIZES = [20, 500]
const MICROSECONDS = 1_000_000

interface Measured {
  readonly load: LoadResult
  readonly requests: number
  readonly cpu: CpuSeconds
}

async function run(pid: number, url: string, body: () => string, connections: number, warm = {}): Promise<Measured> {
  let before = cpuSecondsOf(pid)
  const load = await measure({ url, body, connections, ...warm, onWarm: () => (before = cpuSecondsOf(pid)) })
  return { load, requests: load.requests, cpu: cpuBetween(before, cpuSecondsOf(pid)) }
}

const bare = await startBareServer()
const bareFew = await run(bare.pid, bare.url, singleEventBody, FEW)
const bareMany = await run(bare.pid, bare.url, singleEventBody, MANY, ALREADY_WARM)
await bare.stop()

const web = await startWaymark({ environment: { ROLES: "web" } })
const singleFew = await run(web.pid, `${web.url}/i/v0/e/`, singleEventBody, FEW)
const singleMany = await run(web.pid, `${web.url}/i/v0/e/`, singleEventBody, MANY, ALREADY_WARM)
const batchAlone = await run(web.pid, `${web.url}/batch/`, () => batchBody(BATCH_SIZE), 16)
const batchFew = await run(web.pid, `${web.url}/batch/`, () => batchBody(BATCH_SIZE), FEW, ALREADY_WARM)
const otherBatches: { readonly size: number; readonly measured: Measured }[] = []
for (const size of OTHER_BATCH_SIZES) {
  const measured = await run(web.pid, `${web.url}/batch/`, () => batchBody(size), 16, ALREADY_WARM)
  otherBatches.push({ size, measured })
}
await web.stop()

const server = await startWaymark()
const single = await run(server.pid, `${server.url}/i/v0/e/`, singleEventBody, FEW)
await waitUntilDrained(server.url)
const batch = await run(server.pid, `${server.url}/batch/`, () => batchBody(BATCH_SIZE), 16)
const drainSeconds = await waitUntilDrained(server.url)
await server.stop()

const microsecondsOf = ({ cpu, requests }: Measured): number => (cpu.own * MICROSECONDS) / requests
const row = (what: string, measured: Measured, bare: Measured, events = 1): string[] => {
  const { load, cpu, requests } = measured
  return [
    what,
    Math.round(load.requestsPerSecond).toLocaleString("en"),
    Math.round(load.requestsPerSecond * events).toLocaleString("en"),
    (load.requestsPerSecond / bare.load.requestsPerSecond).toFixed(2),
    microsecondsOf(measured).toFixed(0),
    ((cpu.children * MICROSECONDS) / requests).toFixed(0),
    load.makerMicros.toFixed(0),
    load.p50Ms.toFixed(1),
    load.p99Ms.toFixed(1),
    String(load.failures),
  ]
}
printTable(
  [
    "",
    "requests/s",
    "events/s",
    "ratio to bare",
    "CPU µs/request",
    "children's",
    "load maker's",
    "p50 ms",
    "p99 ms",
    "failures",
  ],
  [
    row(`bare node:http, parses JSON, ${FEW} connections`, bareFew, bareFew),
    row(`bare node:http, parses JSON, ${MANY} connections`, bareMany, bareMany),
    row(`single, capture alone, ${FEW} connections`, singleFew, bareFew),
    row(`single, capture alone, ${MANY} connections`, singleMany, bareMany),
    row(`batches of ${BATCH_SIZE}, capture alone, 16 connections`, batchAlone, bareFew, BATCH_SIZE),
    row(`batches of ${BATCH_SIZE}, capture alone, ${FEW} connections`, batchFew, bareFew, BATCH_SIZE),
    ...otherBatches.map(({ size, measured }) =>
      row(`batches of ${size}, capture alone, 16 connections`, measured, bareFew, size),
    ),
    row(`single, with ingestion, ${FEW} connections`, single, bareFew),
    row(`batches of ${BATCH_SIZE}, with ingestion, 16 connections`, batch, bareFew, BATCH_SIZE),
  ],
)
const gainOf = (batches: Measured, singles: Measured): string =>
  ((batches.load.requestsPerSecond * BATCH_SIZE) / singles.load.requestsPerSecond).toFixed(1)
process.stdout.write(
  `\nBatches of ${BATCH_SIZE} carry ${gainOf(batch, single)} times the events/s of single capture; capture alone ${gainOf(batchAlone, singleFew)}, with ${FEW} connections for both ${gainOf(batchFew, singleFew)}.\n`,
)
process.stdout.write(
  `Processor time, bare to single alone: ${(microsecondsOf(bareFew) / microsecondsOf(singleFew)).toFixed(2)}, with ${MANY} connections ${(microsecondsOf(bareMany) / microsecondsOf(singleMany)).toFixed(2)}.\n`,
)
process.stdout.write(`The backlog of the batches was stored ${drainSeconds.toFixed(1)} s after the last answer.\n`)
