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
  /** Connections of the plain pool; the ORM has its own beside it. */
  readonly poolSize?: number
  readonly logger: Logger
}

const DEFAULT_POOL_SIZE = 16
/** As many searches as run at one time; each may keep a core busy. */
export const SEARCH_POOL_SIZE = 3
const SEARCH_LIMITS = { statement_timeout: 5_000, query_timeout: 8_000 }
/** The ORM serves records and administration, which never wait for the hot paths' connections, nor they for it. */
const ORM_POOL_SIZE = 8
/** As many groups of appends as are written at one time: two, and one of small ones. */
const APPEND_POOL_SIZE = 3
/** A time limit that pg keeps itself holds on to the buffers of each write until a major collection (decision 0014). */
const WITHOUT_READ_TIMEOUT = { query_timeout: 0 }

/**
 * Opens PostgreSQL. Connections are made when they are needed and made again after a loss, so this succeeds whether or
 * not the server answers; `ping` tells. Statements are cut off after 30 s.
 */
export async function openDatabase({ url, entities, poolSize, logger }: DatabaseOptions): Promise<Database> {
  const pool = openPool(url, poolSize ?? DEFAULT_POOL_SIZE, logger)
  const appendPool = openPool(url, APPEND_POOL_SIZE, logger, WITHOUT_READ_TIMEOUT)
  const searchPool = openPool(url, SEARCH_POOL_SIZE, logger, SEARCH_LIMITS)
  const orm = await openOrm(url, entities, ORM_POOL_SIZE, logger)
  return {
    records: createRecords(orm),
    orm: orm,
    pool,
    appendPool,
    searchPool,
    transaction: (work) => runTransaction(pool, work),
    ping: async () => {
      await pool.query("select 1").catch((error: unknown) => {
        throw toStoreFault(error)
      })
    },
    close: async () => {
      await Promise.all([pool.end(), appendPool.end(), searchPool.end(), orm.close(true)])
    },
  }
}
