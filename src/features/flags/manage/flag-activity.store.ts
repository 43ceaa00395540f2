import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { OffsetWindow, Page } from "../../../kernel/paging.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"

/** One change of a flag, as the audit log has it. */
export interface FlagActivity {
  readonly id: string
  readonly activity: string
  readonly changes: Json
  readonly userId: UserId | null
  readonly createdAt: Date
}

/** Changes of one flag, newest first. @throws AppError not_found for a flag of another project or of none. */
export type ReadFlagActivity = (
  projectId: ProjectId,
  flagId: number,
  window: OffsetWindow,
) => Promise<Page<FlagActivity>>

const OF_FLAG = "FROM activity_log WHERE scope = 'FeatureFlag' AND item_id = $1 AND project_id = $2"
const LIST = `SELECT id, activity, changes, user_id AS "userId", created_at AS "createdAt" ${OF_FLAG}
  ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`
const COUNT = `SELECT count(*)::int AS count ${OF_FLAG}`

/** Reads a flag's changes from the audit log, where every flag was created at least. @throws AppError store_unavailable. */
export function createFlagActivityReader({ pool }: Pick<Database, "pool">): ReadFlagActivity {
  return (projectId, flagId, { limit, offset }) =>
    whenReachable(async () => {
      const of = [String(flagId), projectId]
      const { rows: items } = await pool.query<FlagActivity>(LIST, [...of, limit, offset])
      const { rows } = await pool.query<{ count: number }>(COUNT, of)
      const totalCount = rows[0]?.count ?? 0
      if (totalCount === 0) throw new AppError("not_found")
      return { items, totalCount }
    })
}
