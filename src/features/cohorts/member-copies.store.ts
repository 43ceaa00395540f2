import type { Pool } from "pg"
import type { ProjectId } from "../../kernel/ids.js"
import { createPeriodicTask } from "../../kernel/periodic-task.js"
import { waitAtMost } from "../../kernel/wait-at-most.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Logger } from "../../platform/logger/logger.js"

interface MemberChange {
  readonly id: string
  readonly projectId: ProjectId
  readonly cohortId: number
  readonly personId: string
  readonly isDeleted: boolean
}

export interface MemberCopiesDependencies {
  readonly pool: Pool
  readonly clickHouse: Pick<ClickHouse, "insert">
  readonly logger: Logger
}

/** Copies of the members of static cohorts in ClickHouse, where queries read them. */
export interface CohortMemberCopies {
  /** Tells ClickHouse every change that it has not heard of. Rejects when it or PostgreSQL is away; call again later. */
  applyPending(): Promise<void>
  /** The same for somebody who waits: resolves after 5 s at the latest and never rejects. */
  applyNow(): Promise<void>
  /** Looks for changes every second: those of merges, of deletions and of processes that died. */
  start(): void
  stop(): Promise<void>
}

const MAX_CHANGES_AT_ONCE = 10_000
const PENDING = `SELECT id::text, project_id AS "projectId", cohort_id AS "cohortId", person_id AS "personId", is_deleted AS "isDeleted"
  FROM cohort_member_change ORDER BY id LIMIT ${MAX_CHANGES_AT_ONCE}`
const FORGET = "DELETE FROM cohort_member_change WHERE id = ANY ($1::bigint[])"
const LOOK_EVERY_MS = 1_000
const PATIENCE_MS = 5_000

/**
 * Changes are noted by triggers in the transaction that makes them. A copy has the note's number as its version and the
 * highest one counts, so that repeating after a crash, or two processes at once, does no harm.
 */
export function createCohortMemberCopies({ pool, clickHouse, logger }: MemberCopiesDependencies): CohortMemberCopies {
  async function applyPending(): Promise<void> {
    for (;;) {
      const { rows } = await pool.query<MemberChange>(PENDING)
      if (rows.length === 0) return
      await clickHouse.insert({ table: "cohort_people", rows: rows.map(toCopy) })
      await pool.query(FORGET, [rows.map(({ id }) => id)])
      if (rows.length < MAX_CHANGES_AT_ONCE) return
    }
  }

  /** Told once, not every second while a store is away. */
  let isBehind = false
  const applyLater = async (): Promise<void> => {
    try {
      await applyPending()
      isBehind = false
    } catch (error) {
      if (!isBehind) logger.warn("members of cohorts will reach ClickHouse later", { err: error })
      isBehind = true
    }
  }

  const looking = createPeriodicTask(LOOK_EVERY_MS, applyLater)
  return {
    applyPending,
    applyNow: () => waitAtMost(PATIENCE_MS, applyLater()),
    start: looking.start,
    stop: looking.stop,
  }
}

const toCopy = ({ id, projectId, cohortId, personId, isDeleted }: MemberChange) => ({
  project_id: projectId,
  cohort_id: cohortId,
  person_id: personId,
  is_static: true,
  is_deleted: isDeleted,
  version: Number(id),
})
