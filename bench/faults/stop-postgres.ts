import { setTimeout as pause } from "node:timers/promises"
import { whilePaused } from "../../test/support/paused-processes.js"
import { FaultRun } from "./support/fault-run.js"
import { readNumbers } from "./support/options.js"

/** PostgreSQL is stopped (SIGSTOP) under load: nothing can be accepted, nothing accepted may be lost. `--seconds 30 --clients 8 --batch 20` */
const { seconds, clients, batch } = readNumbers({ seconds: 30, clients: 8, batch: 20 })
const run = new FaultRun()
await run.start()
run.startLoad({ clients, batchSize: batch, requestsPerSecond: 200 })
await run.acknowledged(200)
const before = { ...counts() }
await whilePaused(run.server.descendants("postgres"), () => pause(seconds * 1000))
const during = { acknowledged: counts().acknowledged - before.acknowledged, failed: counts().failed - before.failed }
const goesOnAtMs = performance.now()
await run.acknowledged(1)
const recoveredAfterMs = performance.now() - goesOnAtMs
await run.acknowledged(200)
await run.conclude(`PostgreSQL stopped for ${seconds} s`, [
  ["requests acknowledged / failed meanwhile", `${during.acknowledged} / ${during.failed}`],
  ["first acknowledgement after it went on", `${Math.round(recoveredAfterMs)} ms`],
])

function counts(): { acknowledged: number; failed: number } {
  return { acknowledged: run.ledger.acknowledgedRequests, failed: run.ledger.failedRequests }
}
