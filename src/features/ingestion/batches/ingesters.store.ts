import type { PoolClient } from "pg"
import type { Logger } from "../../../platform/logger/logger.js"
import { INGESTER_LOCK, SHARD_COUNT, SHARD_LOCK } from "../shards.js"

export { endSession } from "../../../platform/postgres/end-session.js"

/** Second key of the lock that all ingesters share, and of the one that is held for a moment to join them. */
const RUNNING = 0
const JOINING = 1

/**
 * How long PostgreSQL waits for a machine that was cut off before it gives up its locks: 10 + 3 x 5 seconds. A process that dies
 * gives them up at once.
 */
const NOTICE_LOST_MACHINES = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`

const heldLocks = (lock: number): string =>
  `pg_locks WHERE locktype = 'advisory' AND classid = ${lock} AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

const SELECT_SITUATION = `SELECT ${SHARD_COUNT} AS "shardCount",
  EXISTS (SELECT FROM ingest_slice) OR EXISTS (SELECT FROM ${heldLocks(SHARD_LOCK)})
    OR EXISTS (SELECT FROM ${heldLocks(INGESTER_LOCK)} AND objid = ${RUNNING}) AS "isAtWork"`

/** What was stored under other shards is stored: no reader may take a new shard for one that has nothing yet. */
const CHANGE_SHARD_COUNT = `WITH changed AS (UPDATE ingest_sharding SET shard_count = $1)
INSERT INTO ingest_progress AS progress (shard, stored, dropped, last_batch)
SELECT shard, 0, 0, coalesce((SELECT max(last_batch) FROM ingest_progress), 0) FROM generate_series(0, $1 - 1) AS shard
ON CONFLICT (shard) DO UPDATE SET last_batch = excluded.last_batch`

const SELECT_SHARE = `SELECT
  (SELECT count(*) FROM ${heldLocks(INGESTER_LOCK)} AND objid = ${RUNNING})::int AS ingesters,
  (SELECT count(*) FROM ${heldLocks(INGESTER_LOCK)} AND objid = ${RUNNING} AND pid < pg_backend_pid())::int AS before,
  ARRAY(SELECT shard FROM generate_series(0, ${SHARD_COUNT} - 1) AS shard
         WHERE NOT EXISTS (SELECT FROM ${heldLocks(SHARD_LOCK)} AND objid = shard)) AS free`

/** What one ingester should have of the shards. */
export interface Share {
  /** How many shards are its part. All parts together are all shards, and they differ by one at most. */
  readonly size: number
  /** Shards that nobody owns, those first that no other ingester tries first. */
  readonly free: readonly number[]
}

/**
 * Makes the session behind `client` one of the ingesters, until it ends, and settles how many shards there are: as many as are
 * wanted, or as there were before while another ingester runs or a batch is not finished, because a batch belongs to its shard.
 * @returns the number of shards.
 */
export async function joinIngesters(client: PoolClient, wanted: number, logger: Logger): Promise<number> {
  await client.query(NOTICE_LOST_MACHINES)
  await client.query("BEGIN")
  await client.query("SELECT pg_advisory_xact_lock($1, $2)", [INGESTER_LOCK, JOINING])
  const { rows } = await client.query<{ shardCount: number; isAtWork: boolean }>(SELECT_SITUATION)
  const { shardCount, isAtWork } = rows[0] ?? { shardCount: wanted, isAtWork: true }
  const isChanged = shardCount !== wanted && !isAtWork
  if (isChanged) await client.query(CHANGE_SHARD_COUNT, [wanted])
  await client.query("SELECT pg_advisory_lock_shared($1, $2)", [INGESTER_LOCK, RUNNING])
  await client.query("COMMIT")
  if (shardCount !== wanted && isAtWork)
    logger.warn("INGEST_SHARDS is not used yet: stop all ingesters to change it", { wanted, used: shardCount })
  return isChanged ? wanted : shardCount
}

/** Reads what part of the shards belongs to the ingester behind `client` now. */
export async function readShare(client: PoolClient, shardCount: number): Promise<Share> {
  const { rows } = await client.query<{ ingesters: number; before: number; free: number[] }>(SELECT_SHARE)
  const { ingesters, before, free } = rows[0] ?? { ingesters: 1, before: 0, free: [] }
  const size = Math.floor(shardCount / ingesters) + (before < shardCount % ingesters ? 1 : 0)
  const ownBegin = before % Math.max(1, free.length)
  return { size, free: [...free.slice(ownBegin), ...free.slice(0, ownBegin)] }
}

/** Takes the shard for the session behind `client`, until it ends. @returns whether it was free. */
export async function takeShard(client: PoolClient, shard: number): Promise<boolean> {
  await client.query(NOTICE_LOST_MACHINES)
  const sql = "SELECT pg_try_advisory_lock($1, $2) AS locked"
  const { rows } = await client.query<{ locked: boolean }>(sql, [SHARD_LOCK, shard])
  return rows[0]?.locked === true
}
