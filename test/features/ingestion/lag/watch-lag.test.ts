import { afterEach, beforeEach, expect, jest, test } from "@jest/globals"
import { createLagWatch } from "../../../../src/features/ingestion/lag/watch-lag.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** What the log says after each of these readings. */
async function watch(...readings: { seconds?: number; shardsWithoutOwner?: number }[]): Promise<string[][]> {
  const said: string[] = []
  const log = (message: string) => void said.push(message)
  const left = [...readings]
  const task = createLagWatch(
    async () => {
      const { seconds: oldestUnstoredSeconds = 0, shardsWithoutOwner = 0 } = left.shift() ?? {}
      return {
        accepted: 1,
        stored: 0,
        oldestUnstoredSeconds,
        shardsWithoutOwner,
        shardCount: 4,
        measuredAt: new Date(0),
      }
    },
    { ...silentLogger, warn: log, info: log },
  )
  task.start()
  const after: string[][] = []
  for (const _ of readings) {
    await jest.advanceTimersByTimeAsync(10_000)
    after.push(said.splice(0))
  }
  await task.stop()
  return after
}

test("says once that ingestion is more than five minutes behind, and once that it is not any more", async () => {
  const said = await watch({ seconds: 300 }, { seconds: 301 }, { seconds: 400 }, { seconds: 2 }, {})
  expect(said).toEqual([[], ["ingestion is far behind"], [], ["ingestion is up to date again"], []])
})

test("says that nobody ingests when that lasts, and when somebody does again", async () => {
  const missing = { shardsWithoutOwner: 4 }
  const said = await watch(missing, {}, missing, missing, missing, {})
  const nobody = "nobody ingests: accepted events wait for a process with the role ingest"
  expect(said).toEqual([[], [], [], [nobody], [], ["somebody ingests again"]])
})
