import { runKills } from "./support/kill-run.js"

/** kill -9 of the server at random moments, then a new start on the same data. `--rounds 20 --clients 8 --batch 100 --seed 1` */
await runKills("kill -9 of the server", async (run) => {
  await run.server.kill()
  await run.start()
})
