import type { Pool, QueryResultRow } from "pg"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { readSystemCode } from "../../../kernel/system-error.js"
import { FairConcurrencyLimiter } from "../../../platform/limits/fair-concurrency-limiter.js"
import { toStoreFault } from "../../../platform/postgres/connection-loss.js"
import { SEARCH_POOL_SIZE } from "../../../platform/postgres/database.js"

/** Statements of one search, one after the other. */
export type Search = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>

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
  const search: Search = async <Row>(text: string, values: readonly unknown[]) => {
    try {
      return (await pool.query<Row & QueryResultRow>(text, [...values])).rows
    } catch (error) {
      if (readSystemCode(error) === OUT_OF_TIME) throw new AppError("query_timeout", { detail: TOO_SLOW, cause: error })
      throw toStoreFault(error)
    }
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
