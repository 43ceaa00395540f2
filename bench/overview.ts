import { createFlags } from "./support/flags.js"
import { type LoadResult, measure } from "./support/load.js"
import { memoryOfTree } from "./support/memory.js"
import { batchBody, decideBody, singleEventBody } from "./support/payloads.js"
import { startBareServer, startWaymark } from "./support/server.js"
import { printTable } from "./support/table.js"
import { waitUntilDrained } from "./support/wait.js"

const BATCH_SIZE = 100
const FLAGS = 50

/** One run, one machine, ratios against a bare node:http server that only parses the same single-event body. */
const bare = await startBareServer()
const baseline = await measure({ url: bare.url, body: singleEventBody })
await bare.stop()

const server = await startWaymark()
try {
  const idle = memoryOfTree(server.pid)
  await createFlags(server.url, FLAGS)
  const decide = await measure({ url: `${server.url}/decide?v=3`, body: decideBody })
  const single = await measure({ url: `${server.url}/i/v0/e/`, body: singleEventBody })
  await waitUntilDrained(server.url)
  const batch = await measure({ url: `${server.url}/batch/`, body: () => batchBody(BATCH_SIZE), connections: 16 })
  const drainSeconds = await waitUntilDrained(server.url)

  const row = (what: string, result: LoadResult, eventsPerRequest: number | null) => [
    what,
    Math.round(result.requestsPerSecond).toLocaleString("en"),
    eventsPerRequest === null ? "" : Math.round(result.requestsPerSecond * eventsPerRequest).toLocaleString("en"),
    (result.requestsPerSecond / baseline.requestsPerSecond).toFixed(2),
    result.p50Ms.toFixed(1),
    result.p99Ms.toFixed(1),
    String(result.failures),
  ]
  printTable(
    ["", "requests/s", "events/s", "ratio to bare", "p50 ms", "p99 ms", "failures"],
    [
      row("bare node:http, parses JSON", baseline, null),
      row("durable single capture", single, 1),
      row(`durable batches of ${BATCH_SIZE}`, batch, BATCH_SIZE),
      row(`/decide, ${FLAGS} flags`, decide, null),
    ],
  )
  const batchGain = (batch.requestsPerSecond * BATCH_SIZE) / single.requestsPerSecond
  process.stdout.write(
    `\nBatches of ${BATCH_SIZE} carry ${batchGain.toFixed(1)} times the events/s of single capture.\n`,
  )
  process.stdout.write(`The backlog of the batches was stored ${drainSeconds.toFixed(1)} s after the last answer.\n`)
  process.stdout.write(`Ready ${(server.readyAfterMs / 1000).toFixed(1)} s after the start on an empty directory.\n`)
  process.stdout.write(
    `Idle memory of ${idle.processes} processes: ${Math.round(idle.proportionalMegabytes)} MB proportional, ${Math.round(idle.residentMegabytes)} MB summed resident.\n`,
  )
} finally {
  await server.stop()
}
