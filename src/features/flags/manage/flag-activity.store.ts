import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import { readPage } from "../../../kernel/read-page.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { toRangeSql } from "../../../platform/postgres/sql-range.js"
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
  page: PageRequest,
) => Promise<ListPage<FlagActivity>>

const OF_FLAG = "FROM activity_log WHERE scope = 'FeatureFlag' AND item_id = $1 AND project_id = $2"
const LIST = `SELECT id, activity, changes, user_id AS "userId", created_at AS "createdAt" ${OF_FLAG}`
const COUNT = `SELECT count(*)::int AS count ${OF_FLAG}`

const NEWEST_FIRST = [
  toOrderColumn("createdAt", "time", { isDescending: true }),
  toOrderColumn("id", "uuid", { isDescending: true }),
]

/** Reads a flag's changes from the audit log, where every flag was created at least. @throws AppError store_unavailable. */
export function createFlagActivityReader({ pool }: Pick<Database, "pool">): ReadFlagActivity {
  return async (projectId, flagId, request) => {
    const of = [String(flagId), projectId]
    const page = await readPage<FlagActivity>(
      {
        order: NEWEST_FIRST,
        read: (range) =>
          whenReachable(async () => {
            const { beyond, orderBy, limit, offset, values } = toRangeSql(NEWEST_FIRST, range, of)
            const text = `${LIST} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`
            return { rows: (await pool.query<FlagActivity>(text, values)).rows }
          }),
        count: () => whenReachable(async () => (await pool.query<{ count: number }>(COUNT, of)).rows[0]?.count ?? 0),
      },
      request,
    )
    if (page.items.length === 0 && (await page.countAll()) === 0) throw new AppError("not_found")
    return page
  }
}
