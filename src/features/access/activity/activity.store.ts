import type { Pool } from "pg"
import { isUuid, type OrganizationId, type ProjectId, type UserId } from "../../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import { readPage } from "../../../kernel/read-page.js"
import { toOrderColumn, toOrderSql } from "../../../platform/postgres/sql-order.js"
import { toRangeSql } from "../../../platform/postgres/sql-range.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { Activity, ActivityArgs } from "./activity.graphql.js"

/** Which entries; all given conditions must hold. */
type ActivityFilter = Pick<ActivityArgs, "scope" | "itemId">

export type ActivityReader = ReturnType<typeof createActivityReader>

const COLUMNS = `id, project_id AS "projectId", organization_id AS "organizationId", user_id AS "userId", scope,
  item_id AS "itemId", activity, changes, created_at AS "createdAt"`
const FILTER = "($1::text IS NULL OR scope = $1) AND ($2::text IS NULL OR item_id = $2)"
const NEWEST_FIRST = [
  toOrderColumn("createdAt", "time", { isDescending: true }),
  toOrderColumn("id", "uuid", { isDescending: true }),
]
/** The same, of a statement around those that name the columns. */
const NAMED_NEWEST_FIRST = NEWEST_FIRST.map((column) => ({ ...column, column: `"${column.property}"` }))
const IN_PROJECT = [`${FILTER} AND project_id = $3`]
/** Two conditions with an index each, read separately: joined by OR, PostgreSQL would read the whole log. */
const IN_ACCOUNT = [
  `${FILTER} AND project_id IS NULL AND organization_id = ANY ($4::uuid[])`,
  `${FILTER} AND project_id IS NULL AND organization_id IS NULL AND user_id = $3`,
]

/** Reads the audit log in PostgreSQL, newest entry first. Rejects with AppError store_unavailable. */
export function createActivityReader(pool: Pool) {
  const read = (kinds: readonly string[], values: readonly unknown[], page: PageRequest): Promise<ListPage<Activity>> =>
    readPage<Activity>(
      {
        order: NEWEST_FIRST,
        read: (range) =>
          whenReachable(async () => {
            const { beyond, orderBy, limit, offset, values: bound } = toRangeSql(NEWEST_FIRST, range, values)
            const nearest = kinds.map(
              (where) => `(SELECT ${COLUMNS} FROM activity_log WHERE ${where} AND ${beyond}
                ORDER BY ${orderBy} LIMIT ${limit} + ${offset})`,
            )
            const text = `SELECT * FROM (${nearest.join(" UNION ALL ")}) entry
              ORDER BY ${toOrderSql(NAMED_NEWEST_FIRST, range.isBackward)} LIMIT ${limit} OFFSET ${offset}`
            return { rows: (await pool.query<Activity>(text, bound)).rows }
          }),
        count: () =>
          whenReachable(async () => {
            const counts = kinds.map((where) => `(SELECT count(*) FROM activity_log WHERE ${where})`)
            const text = `SELECT (${counts.join(" + ")})::int AS total`
            const { rows } = await pool.query<{ total: number }>(text, [...values])
            return rows[0]?.total ?? 0
          }),
      },
      page,
    )
  return {
    /** Those of these that there are, whoever may read them; what is no UUID names none. */
    findMany: (ids: readonly string[]): Promise<Activity[]> =>
      whenReachable(async () => {
        const text = `SELECT ${COLUMNS} FROM activity_log WHERE id = ANY ($1::uuid[])`
        return (await pool.query<Activity>(text, [ids.filter(isUuid)])).rows
      }),
    listByProject: (projectId: ProjectId, { scope, itemId }: ActivityFilter, page: PageRequest) =>
      read(IN_PROJECT, [scope ?? null, itemId ?? null, projectId], page),
    /** Entries outside projects: what a user did to their own keys, if one is given, and what happened in organizations. */
    listByAccount: (
      userId: UserId | null,
      organizationIds: readonly OrganizationId[],
      { scope, itemId }: ActivityFilter,
      page: PageRequest,
    ) => read(IN_ACCOUNT, [scope ?? null, itemId ?? null, userId, organizationIds], page),
  }
}
