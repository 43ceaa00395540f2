import { setTimeout as pause } from "node:timers/promises"
import { PERSONAL_KEY } from "../../test/support/waymark-process.js"
import { FaultRun } from "../faults/support/fault-run.js"
import { createRandom, readNumbers } from "../faults/support/options.js"
import { TreeWatch } from "../support/tree-watch.js"
import type { Tenant } from "./attack.types.js"
import { AttackerProcess } from "./attacker-process.js"
import { ATTACKS } from "./attacks/index.js"
import { createTenants } from "./tenants.js"

/**
 * Attacks one server with everything, in an order made from the seed, while another project captures at a steady rate;
 * at the end every acknowledged event has to be stored once, and memory to be near what it was (docs/abuse.md).
 * `bench/abuse/soak.ts [--minutes 30] [--each 20] [--seed 1] [--settle 120]`, each attack's time and the quiet end's in
 * seconds. Exit code 1 for a broken promise.
 */
const { minutes, each, seed, settle } = readNumbers({ minutes: 30, each: 20, seed: 1, settle: 120 })
const REQUESTS_PER_SECOND = 20

const random = createRandom(seed)
const run = new FaultRun()
await run.start()
const { attacker } = await createTenants(run.api.url, PERSONAL_KEY)
const watch = new TreeWatch({ pid: run.server.child.pid ?? 0, dataDirectory: run.server.dataDirectory })
run.startLoad({ clients: 4, batchSize: 20, requestsPerSecond: REQUESTS_PER_SECOND })
await run.acknowledged(REQUESTS_PER_SECOND * 10)
const idle = await watch.look()

let attacks = 0
const endsAt = performance.now() + minutes * 60_000
while (performance.now() < endsAt && run.server.child.exitCode === null && run.server.child.signalCode === null) {
  const attack = ATTACKS[Math.floor(random() * ATTACKS.length)]
  if (attack === undefined) continue
  process.stderr.write(`${attack.name}: ${await launch(attack.name, attacker)}\n`)
  attacks++
}
const { peakMegabytes } = await watch.look()
const { code, signal } = { code: run.server.child.exitCode, signal: run.server.child.signalCode }
const death = code === null && signal === null ? "never" : `with ${signal ?? code}`

await pause(settle * 1000)
await watch.look()
const atEnd = await watch.look()
await watch.stop()
await run.conclude(`${attacks} attacks in ${minutes} minutes (seed ${seed})`, [
  ["server ended", death],
  [
    "memory before, at most, at the end",
    `${[idle.peakMegabytes, peakMegabytes, atEnd.peakMegabytes].map(Math.round).join(" / ")} MB`,
  ],
])

/** One attack, from a process of its own; answers what it got. */
async function launch(name: string, tenant: Tenant): Promise<string> {
  const program = new AttackerProcess()
  try {
    await program.prepare(name, { url: run.api.url, tenant })
    program.run()
    await pause(each * 1000)
    return JSON.stringify(await program.end())
  } catch (failure) {
    // A server under attack may refuse what this one has to prepare; that is no broken promise.
    return `not prepared: ${String(failure).slice(0, 200)}`
  } finally {
    program.kill()
  }
}
