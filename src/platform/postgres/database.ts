import type { Pool } from "pg"
import type { Logger } from "../logger/logger.js"
import { toStoreFault } from "./connection-loss.js"
import type { Database } from "./database.types.js"
import { type Entities, openOrm } from "./open-orm.js"
import { openPool, runTransaction } from "./open-pool.js"
import { createRecords } from "./records.js"

export interface DatabaseOptions {
  /** `postgresql://user:password@host:5432/name`, or `postgresql://user@%2Fsocket%2Fdirectory/name`. */
  readonly url: string
  readonly entities: Entities
  /** Connections at most, those of shard owners apart: at least 12. */
  readonly connections?: number
  readonly logger: Logger
}

const DEFAULT_CONNECTIONS = 30
/** As many searches as run at one time; each may keep a core busy. */
export const SEARCH_POOL_SIZE = 3
const SEARCH_LIMITS = { statement_timeout: 5_000, query_timeout: 8_000 }
/**
 * The ORM serves records and administration, which never wait for the hot paths' connections, nor they for it. It has so much of
 * what the small pools leave, and the hot paths the rest.
 */
const ORM_SHARE = 1 / 3
/** As many groups of appends as are written at one time: two, and one of small ones. */
const APPEND_POOL_SIZE = 3
/** A time limit that pg keeps itself holds on to the buffers of each write until a major collection (decision 0014). */
const WITHOUT_READ_TIMEOUT = { query_timeout: 0 }
/** More than there are shards. They are opened as shards are owned. */
const OWNER_POOL_SIZE = 100

/**
 * Opens PostgreSQL. Connections are made when they are needed and made again after a loss, so this succeeds whether or
 * not the server answers; `ping` tells. Statements are cut off after 30 s.
 */
export async function openDatabase({ url, entities, connections, logger }: DatabaseOptions): Promise<Database> {
  const divisible = (connections ?? DEFAULT_CONNECTIONS) - APPEND_POOL_SIZE - SEARCH_POOL_SIZE
  const ormSize = Math.floor(divisible * ORM_SHARE)
  const pool = openPool(url, divisible - ormSize, logger)
  const ownerPool = openPool(url, OWNER_POOL_SIZE, logger)
  const appendPool = openPool(url, APPEND_POOL_SIZE, logger, WITHOUT_READ_TIMEOUT)
  const searchPool = openPool(url, SEARCH_POOL_SIZE, logger, SEARCH_LIMITS)
  const { orm, findPool } = await openOrm(url, entities, ormSize, logger)
  const pools = { requests: pool, appends: appendPool, searches: searchPool, shards: ownerPool }
  return {
    records: createRecords(orm),
    orm: orm,
    pool,
    appendPool,
    searchPool,
    ownerPool,
    countConnections: () =>
      Object.entries({ ...pools, records: findPool() }).map(([name, one]) => ({ pool: name, ...toCount(one) })),
    transaction: (work) => runTransaction(pool, work),
    ping: async () => {
      await pool.query("select 1").catch((error: unknown) => {
        throw toStoreFault(error)
      })
    },
    close: async () => {
      await Promise.all([pool.end(), appendPool.end(), searchPool.end(), ownerPool.end(), orm.close(true)])
    },
  }
}

const toCount = (pool: Pool | null) => ({
  inUse: (pool?.totalCount ?? 0) - (pool?.idleCount ?? 0),
  idle: pool?.idleCount ?? 0,
  waiting: pool?.waitingCount ?? 0,
})
