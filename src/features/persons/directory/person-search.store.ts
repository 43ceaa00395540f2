import type { Pool, QueryResultRow } from "pg"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RangeRows } from "../../../kernel/read-page.js"
import { readSystemCode } from "../../../kernel/system-error.js"
import { FairConcurrencyLimiter } from "../../../platform/limits/fair-concurrency-limiter.js"
import { toStoreFault } from "../../../platform/postgres/connection-loss.js"
import { SEARCH_POOL_SIZE } from "../../../platform/postgres/database.js"
import { runTransaction } from "../../../platform/postgres/open-pool.js"

/** Statements of one search, one after the other. */
export interface Search {
  all<Row>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** The first rows, at least one: as many as `measure` together no more than `max`. Few more than those are read. */
  upTo<Row>(
    text: string,
    values: readonly unknown[],
    measure: (row: Row) => number,
    max: number,
  ): Promise<RangeRows<Row>>
}

/** Runs a search of a project when it is its turn. */
export type RunSearch = <T>(projectId: ProjectId, work: (search: Search) => Promise<T>) => Promise<T>

/** One project runs one search less than all, so that another's never waits for its whole queue. */
const LIMITS = {
  what: "searches",
  running: SEARCH_POOL_SIZE,
  runningPerProject: SEARCH_POOL_SIZE - 1,
  waiting: 100,
  waitingPerProject: 10,
  waitMs: 10_000,
} as const

/** Of the largest persons 32 MB. */
const ROWS_AT_ONCE = 50

/** PostgreSQL's `query_canceled`, which a statement gets that has run out of time. */
const OUT_OF_TIME = "57014"
const TOO_SLOW = "The search took more than 5 seconds. Ask for fewer persons, or by a simpler condition."

/**
 * Runs what reads persons by conditions of users: on connections of its own, with places for each project, so that a pattern
 * that keeps PostgreSQL busy keeps nobody else from it (`docs/contract/management.md#searches-of-persons`).
 * Throws AppError query_timeout, rate_limited, store_unavailable.
 */
export function createPersonSearch(pool: Pool): RunSearch {
  const limiter = new FairConcurrencyLimiter(LIMITS)
  const search: Search = {
    all: <Row>(text: string, values: readonly unknown[]) =>
      orSearchFault(async () => (await pool.query<Row & QueryResultRow>(text, [...values])).rows),
    upTo: <Row>(text: string, values: readonly unknown[], measure: (row: Row) => number, max: number) =>
      orSearchFault(() =>
        runTransaction(pool, async (client) => {
          await client.query(`DECLARE found NO SCROLL CURSOR FOR ${text}`, [...values])
          const taken: Row[] = []
          let left = max
          for (;;) {
            const { rows } = await client.query<Row & QueryResultRow>(`FETCH ${ROWS_AT_ONCE} FROM found`)
            for (const row of rows) {
              left -= measure(row)
              if (left < 0 && taken.length > 0) return { rows: taken, isCut: true }
              taken.push(row)
            }
            if (rows.length < ROWS_AT_ONCE) return { rows: taken }
          }
        }),
      ),
  }
  return async (projectId, work) => {
    const release = await limiter.acquire(projectId, AbortSignal.timeout(LIMITS.waitMs * 2))
    try {
      return await work(search)
    } finally {
      release()
    }
  }
}

/** @throws AppError query_timeout, store_unavailable. */
async function orSearchFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (readSystemCode(error) === OUT_OF_TIME) throw new AppError("query_timeout", { detail: TOO_SLOW, cause: error })
    throw toStoreFault(error)
  }
}
