import { setTimeout as pause } from "node:timers/promises"
import { whilePaused } from "../../test/support/paused-processes.js"
import { FaultRun } from "./support/fault-run.js"
import { readNumbers } from "./support/options.js"

/**
 * ClickHouse is stopped (SIGSTOP) under load: accepting goes on, and afterwards the backlog is stored faster than events
 * arrive. `--seconds 60 --clients 8 --batch 100 --rate 40` (requests a second, half of them batches)
 */
const { seconds, clients, batch, rate } = readNumbers({ seconds: 60, clients: 8, batch: 100, rate: 40 })
const POLL_MS = 250
const run = new FaultRun()
await run.start()
run.startLoad({ clients, batchSize: batch, requestsPerSecond: rate })
await run.acknowledged(rate)
const calmPerSecond = await acceptedPerSecond(() => pause(5_000))
const stoppedPerSecond = await acceptedPerSecond(() =>
  whilePaused(run.server.descendants("clickhouse-child"), () => pause(seconds * 1000)),
)
const start = await progress()
const { drainedPerSecond, arrivedPerSecond, drainSeconds } = await drain()
await run.conclude(`ClickHouse stopped for ${seconds} s`, [
  ["events accepted a second, before / meanwhile", `${calmPerSecond.toFixed(0)} / ${stoppedPerSecond.toFixed(0)}`],
  ["backlog when it went on", `${start.backlog.toLocaleString("en")} events, ${start.oldestSeconds.toFixed(0)} s old`],
  ["stored / arriving a second while draining", `${drainedPerSecond.toFixed(0)} / ${arrivedPerSecond.toFixed(0)}`],
  ["times faster than arrival", (drainedPerSecond / arrivedPerSecond).toFixed(1)],
  ["backlog gone after", `${drainSeconds.toFixed(1)} s`],
])

async function progress() {
  const { body } = await run.api.get<{
    ingestion: { accepted: number; stored: number; oldest_unstored_seconds: number }
  }>("/_readyz")
  const { accepted, stored, oldest_unstored_seconds: oldestSeconds } = body.ingestion
  return { accepted, stored, backlog: accepted - stored, oldestSeconds, atMs: performance.now() }
}

async function acceptedPerSecond(work: () => Promise<void>): Promise<number> {
  const from = { events: run.ledger.acknowledgedEvents, atMs: performance.now() }
  await work()
  return ((run.ledger.acknowledgedEvents - from.events) * 1000) / (performance.now() - from.atMs)
}

/** From the first event stored after the outage until what waits is no more than what arrives in a second. */
async function drain() {
  let first = await progress()
  while (first.stored === start.stored) {
    await pause(POLL_MS)
    first = await progress()
  }
  let now = first
  while (now.backlog > calmPerSecond) {
    await pause(POLL_MS)
    now = await progress()
  }
  const elapsedSeconds = Math.max(POLL_MS, now.atMs - start.atMs) / 1000
  return {
    drainedPerSecond: (now.stored - start.stored) / elapsedSeconds,
    arrivedPerSecond: (now.accepted - start.accepted) / elapsedSeconds,
    drainSeconds: elapsedSeconds,
  }
}
