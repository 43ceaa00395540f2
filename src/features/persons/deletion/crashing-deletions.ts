import type { CrashPoints } from "../../../kernel/crash-points.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import type { PersonDeletions } from "../persons.types.js"

/** Deletions that die when PostgreSQL has committed them and before ClickHouse applies them. */
export const withCrashPoints = (deletions: PersonDeletions, crashPoints: CrashPoints): PersonDeletions => ({
  request: async (...deletion) => {
    const count = await deletions.request(...deletion)
    crashPoints.hit("after-deletion-commit")
    return count
  },
  applyPending: () => deletions.applyPending(),
})

type DeletionSteps = Pick<ClickHouse, "insert" | "rows" | "command">

/** A ClickHouse that takes the tombstones of persons as the last thing before the end. */
export const withCrashingTombstones = (clickHouse: DeletionSteps, crashPoints: CrashPoints): DeletionSteps => ({
  insert: async (rows) => {
    await clickHouse.insert(rows)
    if (rows.table === "persons") crashPoints.hit("after-deletion-tombstones")
  },
  rows: (statement) => clickHouse.rows(statement),
  command: (statement) => clickHouse.command(statement),
})
