import { setTimeout as pause } from "node:timers/promises"
import { runAdminCommand } from "../../test/support/admin-command.js"
import { CaptureLoad, readStored } from "../../test/support/capture-load.js"
import { EventLedger } from "../../test/support/event-ledger.js"
import { WaymarkApi } from "../../test/support/waymark-api.js"
import { temporaryDirectory, WaymarkProcess } from "../../test/support/waymark-process.js"
import { readNumbers } from "./support/options.js"

/**
 * A backup under load, restored into an empty directory: each event that was acknowledged before the command began has
 * to be there once, and none twice. `--seconds 20 --clients 8 --batch 200 --rate 50` (requests a second, half of them
 * batches)
 */
const { seconds, clients, batch, rate } = readNumbers({ seconds: 20, clients: 8, batch: 200, rate: 50 })
const [data, backup, restored] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()]
const server = new WaymarkProcess(data.path)
const url = await server.ready()
const ledgers = { before: new EventLedger(), meanwhile: new EventLedger() }
const startLoad = (ledger: EventLedger): CaptureLoad =>
  new CaptureLoad({ ledger, url: () => url, clients, batchSize: batch, requestsPerSecond: rate })

const before = startLoad(ledgers.before)
await pause(seconds * 1000)
const meanwhile = startLoad(ledgers.meanwhile)
await before.stop()
const arrivedBefore = ledgers.meanwhile.acknowledgedEvents
const backupSeconds = await measure(() => admin(["backup", "--to", backup.path], data.path))
const arrived = ledgers.meanwhile.acknowledgedEvents - arrivedBefore
const againSeconds = await measure(() => admin(["backup", "--to", backup.path], data.path))
await meanwhile.stop()
await server.stop()
const restoreSeconds = await measure(() => admin(["restore", "--from", backup.path], restored.path))
const other = new WaymarkProcess(restored.path)
const api = new WaymarkApi(await other.ready())
await api.drained()
const { stable, lost, duplicated } = ledgers.before.judge(await readStored(api))
await other.stop()
for (const { remove } of [data, backup, restored]) remove()
const facts: readonly (readonly [string, string | number])[] = [
  [
    "events acknowledged before / a second meanwhile",
    `${ledgers.before.acknowledgedEvents} / ${Math.round(arrived / backupSeconds)}`,
  ],
  ["seconds of the backup / the next one / the restore", `${backupSeconds} / ${againSeconds} / ${restoreSeconds}`],
  ["stable", stable],
  ["lost", lost.length],
  ["duplicated", duplicated.length],
  ["requests that failed meanwhile", ledgers.meanwhile.failedRequests],
]
for (const [name, value] of facts) console.log(`${name}: ${value}`)
if (lost.length + duplicated.length > 0) process.exitCode = 1

async function measure(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return Math.round((performance.now() - startedAtMs) / 100) / 10
}

async function admin(arguments_: readonly string[], dataDirectory: string): Promise<void> {
  const { code, stdout, stderr } = await runAdminCommand(arguments_, { DATA_DIR: dataDirectory })
  if (code !== 0) throw new Error(stderr)
  console.log(stdout.trim())
}
