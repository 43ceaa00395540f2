import { setTimeout as pause } from "node:timers/promises"
import { FaultRun } from "./fault-run.js"
import { createRandom, readNumbers } from "./options.js"

const LONGEST_LIFE_MS = 1_500

/** Kills again and again at random moments, with load all the while. `kill` resolves when what it killed is up again. */
export async function runKills(title: string, kill: (run: FaultRun) => Promise<void>): Promise<void> {
  const { rounds, clients, batch, seed } = readNumbers({ rounds: 20, clients: 8, batch: 100, seed: 1 })
  const random = createRandom(seed)
  const run = new FaultRun()
  await run.start()
  run.startLoad({ clients, batchSize: batch })
  for (let round = 0; round < rounds; round++) {
    await run.acknowledged(10)
    await pause(random() * LONGEST_LIFE_MS)
    await kill(run)
  }
  await run.acknowledged(10)
  await run.conclude(`${title}, ${rounds} times (seed ${seed})`)
}

/** kill -9 of the oldest child of the server whose command line contains `text`; its supervisor starts it anew. */
export async function killChild(run: FaultRun, text: string): Promise<void> {
  const [oldest] = run.server.descendants(text).sort((a, b) => a - b)
  // The last kill may be so recent that nothing has been started in its place yet.
  if (oldest !== undefined) process.kill(oldest, "SIGKILL")
}
