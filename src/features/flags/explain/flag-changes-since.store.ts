import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"

/** An entry of the audit log by which a flag was made or changed. */
export interface LoggedChange {
  readonly flagId: number
  readonly isCreation: boolean
  readonly changes: Json
}

/** Reads how a project's flags were changed. */
export interface FlagChangesSince {
  /** All since then, newest first; null when they are more than can be undone. Rejects with AppError store_unavailable. */
  list(projectId: ProjectId, since: Date): Promise<LoggedChange[] | null>
}

const MAX_CHANGES = 10_000
const CHANGES = `
  SELECT item_id::int AS "flagId", activity = 'created' AS "isCreation", changes FROM activity_log
  WHERE project_id = $1 AND scope = 'FeatureFlag' AND created_at > $2
    AND activity IN ('created', 'updated', 'deleted', 'updated by plan', 'updated on approval')
  ORDER BY created_at DESC, id DESC LIMIT ${MAX_CHANGES + 1}`

/** Reads them from PostgreSQL. */
export const createFlagChangesSince = (pool: Pool): FlagChangesSince => ({
  list: (projectId, since) =>
    whenReachable(async () => {
      const { rows } = await pool.query<LoggedChange>(CHANGES, [projectId, since])
      return rows.length > MAX_CHANGES ? null : rows
    }),
})
