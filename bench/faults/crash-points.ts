import { CRASH_POINTS } from "../../src/kernel/crash-points.js"
import { FaultRun } from "./support/fault-run.js"
import { createRandom, readNumbers } from "./support/options.js"

/** The server dies at every named point in turn, each time after passing it a few times. `--rounds 3 --clients 8 --batch 100 --seed 1` */
const LATEST_OCCURRENCE = 5
const { rounds, clients, batch, seed } = readNumbers({ rounds: 3, clients: 8, batch: 100, seed: 1 })
const random = createRandom(seed)
const run = new FaultRun()
run.startLoad({ clients, batchSize: batch })
for (let round = 0; round < rounds; round++)
  for (const point of CRASH_POINTS) {
    const occurrence = 1 + Math.floor(random() * LATEST_OCCURRENCE)
    await run.start({ WAYMARK_CRASH_AT: `${point}:${occurrence}` })
    const { signal } = await run.server.ended
    if (signal !== "SIGKILL") throw new Error(`the server ended at ${point} with ${signal}`)
  }
await run.start()
await run.acknowledged(10)
await run.conclude(`death at ${CRASH_POINTS.length} named points, ${rounds} times each (seed ${seed})`)
