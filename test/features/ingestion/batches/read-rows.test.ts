import { zstdCompressSync } from "node:zlib"
import { expect, test } from "@jest/globals"
import type { PoolClient } from "pg"
import { packRequests } from "../../../../src/features/capture/index.js"
import { createBatchLog } from "../../../../src/features/ingestion/batches/batch.store.js"
import { yieldToEventLoop } from "../../../../src/kernel/yield-to-event-loop.js"

const ROWS = 16

/** A connection whose answers are there at once, so that whatever turns there are were given by the reader. */
async function connectionWithLongRows(): Promise<PoolClient> {
  const text = Buffer.from("[]".padEnd(256 * 1024))
  const request = { receivedAtMs: 0, clientIp: "", historicalMigration: false, eventCount: 0, text: [text] }
  const row = await packRequests([{ ...request, textBytes: text.length }], async (pieces) =>
    zstdCompressSync(Buffer.concat(pieces)),
  )
  const query = async (statement: string) => ({
    rows: statement.includes("FROM ingest_log") ? Array.from({ length: ROWS }, () => ({ projectId: 1, ...row })) : [],
  })
  return { query } as unknown as PoolClient
}

test("whoever waits for this process has a turn while a part of a batch is unpacked", async () => {
  const client = await connectionWithLongRows()
  const log = createBatchLog(client, {
    clock: { now: () => 0 },
    ids: { uuidV4: () => "" },
    mergeListeners: [],
    makeSalts: async () => undefined,
    crashPoints: null,
  })
  let turns = 0
  let isRead = false
  const reading = log
    .transaction((batch) => batch.readRequests(["1"]))
    .finally(() => {
      isRead = true
    })
  while (!isRead) {
    await yieldToEventLoop()
    turns++
  }
  expect(await reading).toHaveLength(ROWS)
  expect(turns).toBeGreaterThan(ROWS / 4)
})
