import type { Pool } from "pg"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../../kernel/paging.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { Activity, ActivityArgs } from "./activity.graphql.js"

/** Which entries; all given conditions must hold. */
type ActivityFilter = Pick<ActivityArgs, "scope" | "itemId">

export type ActivityReader = ReturnType<typeof createActivityReader>

const COLUMNS = `id, project_id AS "projectId", organization_id AS "organizationId", user_id AS "userId", scope,
  item_id AS "itemId", activity, changes, created_at AS "createdAt"`
const FILTER = "($1::text IS NULL OR scope = $1) AND ($2::text IS NULL OR item_id = $2)"
const NEWEST_FIRST = "ORDER BY created_at DESC, id DESC"
const IN_PROJECT = [`${FILTER} AND project_id = $3`]
/** Two conditions with an index each, read separately: joined by OR, PostgreSQL would read the whole log. */
const IN_ACCOUNT = [
  `${FILTER} AND project_id IS NULL AND organization_id = ANY ($4::uuid[])`,
  `${FILTER} AND project_id IS NULL AND organization_id IS NULL AND user_id = $3`,
]

/** Reads the audit log in PostgreSQL, newest entry first. Rejects with AppError store_unavailable. */
export function createActivityReader(pool: Pool) {
  const read = (kinds: readonly string[], values: readonly unknown[], { limit, offset }: OffsetWindow) =>
    whenReachable(async (): Promise<Page<Activity>> => {
      const next = values.length + 1
      const newest = kinds.map(
        (where) =>
          `(SELECT ${COLUMNS} FROM activity_log WHERE ${where} ${NEWEST_FIRST} LIMIT $${next}::bigint + $${next + 1}::bigint)`,
      )
      const page = `SELECT * FROM (${newest.join(" UNION ALL ")}) entry
        ORDER BY "createdAt" DESC, id DESC LIMIT $${next} OFFSET $${next + 1}`
      const counts = kinds.map((where) => `(SELECT count(*) FROM activity_log WHERE ${where})`)
      const items = await pool.query<Activity>(page, [...values, limit, offset])
      const counted = await pool.query<{ total: number }>(`SELECT (${counts.join(" + ")})::int AS total`, [...values])
      return { items: items.rows, totalCount: counted.rows[0]?.total ?? 0 }
    })
  return {
    listByProject: (projectId: ProjectId, { scope, itemId }: ActivityFilter, window: OffsetWindow) =>
      read(IN_PROJECT, [scope ?? null, itemId ?? null, projectId], window),
    /** Entries outside projects: what a user did to their own keys, if one is given, and what happened in organizations. */
    listByAccount: (
      userId: UserId | null,
      organizationIds: readonly OrganizationId[],
      { scope, itemId }: ActivityFilter,
      window: OffsetWindow,
    ) => read(IN_ACCOUNT, [scope ?? null, itemId ?? null, userId, organizationIds], window),
  }
}
