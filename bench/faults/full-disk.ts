import { setTimeout as pause } from "node:timers/promises"
import { FaultRun } from "./support/fault-run.js"
import { readNumbers } from "./support/options.js"
import { SmallDisk } from "./support/small-disk.js"

/**
 * More events than a small disk holds, as root: capture refuses in time, so that neither store runs out of room, and
 * goes on when the disk is larger. `--megabytes 600 --seconds 180 --clients 8 --batch 200`; seconds count from the
 * first refusal.
 */
const LARGER = 8
const { megabytes, seconds, clients, batch } = readNumbers({ megabytes: 600, seconds: 180, clients: 8, batch: 200 })
const disk = new SmallDisk(megabytes)
const run = new FaultRun(disk)
await run.start()
const [postgres] = run.server.descendants("bin/postgres").sort((a, b) => a - b)
run.startLoad({ clients, batchSize: batch })

const startedAtMs = performance.now()
while (run.ledger.failedRequests === 0) await pause(100)
const filledSeconds = (performance.now() - startedAtMs) / 1000
const acknowledged = run.ledger.acknowledgedEvents
let leastFree = disk.freeMegabytes
for (let second = 0; second < seconds; second++) {
  await pause(1000)
  leastFree = Math.min(leastFree, disk.freeMegabytes)
}
const hasLived = run.server.descendants("bin/postgres").some((pid) => pid === postgres)
const refusedEvents = run.ledger.sentEvents - run.ledger.acknowledgedEvents
disk.enlarge(megabytes * LARGER)
await run.acknowledged(1)
await run.conclude(`a disk of ${megabytes} MB`, [
  ["seconds until the first refusal / events until then", `${filledSeconds.toFixed(0)} / ${acknowledged}`],
  ["events refused in the time after it", String(refusedEvents)],
  ["least free megabytes", String(leastFree)],
  ["PostgreSQL lived", hasLived ? "yes" : "no"],
])
if (!hasLived) process.exitCode = 1
