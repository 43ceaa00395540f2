import type { Pool } from "pg"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import { StartupError } from "../../../platform/embedded/startup-error.js"

const SELECT_LAST = "SELECT last_value::float8 AS last FROM ingest_batch_number"
/** The index by batch keeps this away from all rows of batches up to there. */
const FIND_LATER = "SELECT max(batch) AS latest FROM events WHERE batch > {last:UInt64}"

/**
 * Makes sure that PostgreSQL is not older than ClickHouse, as after one of them was restored alone: it would store again
 * what its log still has and does not know the events that clients repeat (decision 0084).
 * @throws StartupError when ClickHouse has events of a batch whose number PostgreSQL has not given out.
 */
export async function requireKnownBatches(
  pool: Pick<Pool, "query">,
  clickHouse: Pick<ClickHouse, "rows">,
): Promise<void> {
  const latest = await findLaterBatch(clickHouse, await readLast(pool))
  // Other processes may have given out more numbers meanwhile.
  if (latest === 0 || latest <= (await readLast(pool))) return
  throw new StartupError(
    `PostgreSQL is older than ClickHouse, which has events of batch ${latest}: restore both from one backup. To go on, with events that are stored twice if they come again, run in PostgreSQL: SELECT setval('ingest_batch_number', ${latest}).`,
  )
}

async function readLast(pool: Pick<Pool, "query">): Promise<number> {
  return (await pool.query<{ last: number }>(SELECT_LAST)).rows[0]?.last ?? 0
}

async function findLaterBatch(clickHouse: Pick<ClickHouse, "rows">, last: number): Promise<number> {
  const [found] = await clickHouse.rows<{ latest: number }>({ sql: FIND_LATER, parameters: { last } })
  return found?.latest ?? 0
}
