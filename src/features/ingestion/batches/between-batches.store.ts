import { setTimeout as sleep } from "node:timers/promises"
import type { ClientBase } from "pg"
import { StartupError } from "../../../platform/embedded/startup-error.js"

const CLAIM_LOCK = "hashtextextended('waymark batch claims', 0)"
/** What a transaction does that claims a batch. */
export const LOCK_CLAIMS_SHARED = `SELECT pg_advisory_xact_lock_shared(${CLAIM_LOCK})`

const LOOK_EVERY_MS = 20
const PATIENCE_MS = 120_000

/**
 * Keeps every process from claiming batches until the transaction of the connection ends, and waits until those that
 * are claimed are stored. Both stores hold the same events then: what is accepted meanwhile waits in the log.
 * @throws StartupError when a batch stays unfinished, because a store is away or nobody ingests.
 */
export async function waitBetweenBatches(client: ClientBase): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`)
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await client.query<{ isAny: boolean }>('SELECT EXISTS (SELECT FROM ingest_slice) AS "isAny"')
    if (rows[0]?.isAny !== true) return
    if (performance.now() > deadline)
      throw new StartupError(
        "A batch of events is unfinished for two minutes: a store is away, or no process with the role ingest runs.",
      )
    await sleep(LOOK_EVERY_MS)
  }
}
