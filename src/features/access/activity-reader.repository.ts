import type { OrganizationId, ProjectId, UserId } from "../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { Activity } from "./activity.log.js"

/** Which entries; all given conditions must hold. */
export interface ActivityFilter {
  /** Kind of the thing, for example `FeatureFlag`. */
  readonly scope?: string | null | undefined
  readonly itemId?: string | null | undefined
}

/** Whose entries outside projects: what a user did to their own keys, and what happened in their organizations. */
export interface Account {
  readonly userId: UserId
  readonly organizationIds: readonly OrganizationId[]
}

/** Reads of the audit log, newest first. */
export interface ActivityReader {
  ofProject(projectId: ProjectId, filter: ActivityFilter, window: OffsetWindow): Promise<Page<Activity>>
  ofAccount(account: Account, filter: ActivityFilter, window: OffsetWindow): Promise<Page<Activity>>
}

const COLUMNS = `id, project_id AS "projectId", organization_id AS "organizationId", user_id AS "userId", scope,
  item_id AS "itemId", activity, changes, created_at AS "createdAt"`
const FILTER = "($1::text IS NULL OR scope = $1) AND ($2::text IS NULL OR item_id = $2)"
const OF_PROJECT = `FROM activity_log WHERE ${FILTER} AND project_id = $3`
const OF_ACCOUNT = `FROM activity_log WHERE ${FILTER} AND project_id IS NULL
  AND (organization_id = ANY($4::uuid[]) OR (organization_id IS NULL AND user_id = $3))`

export function createActivityReader({ pool }: Pick<Database, "pool">): ActivityReader {
  const read = (from: string, values: readonly unknown[], { limit, offset }: OffsetWindow): Promise<Page<Activity>> =>
    whenReachable(async () => {
      const next = values.length + 1
      const order = `ORDER BY created_at DESC, id DESC LIMIT $${next} OFFSET $${next + 1}`
      const items = await pool.query<Activity>(`SELECT ${COLUMNS} ${from} ${order}`, [...values, limit, offset])
      const counted = await pool.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, [...values])
      return { items: items.rows, totalCount: counted.rows[0]?.total ?? 0 }
    })
  return {
    ofProject: (projectId, { scope, itemId }, window) =>
      read(OF_PROJECT, [scope ?? null, itemId ?? null, projectId], window),
    ofAccount: ({ userId, organizationIds }, { scope, itemId }, window) =>
      read(OF_ACCOUNT, [scope ?? null, itemId ?? null, userId, organizationIds], window),
  }
}
