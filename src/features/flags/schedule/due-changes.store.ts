import type { Pool } from "pg"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { ScheduledChange } from "./scheduled-change.entity.js"

/** A change whose time has come, and the zone of its project. */
export type DueChange = Pick<
  ScheduledChange,
  "id" | "projectId" | "flagId" | "request" | "startsAt" | "recurrence" | "createdById"
> & { readonly dueAt: Date; readonly timezone: string }

/** Changes that are made in one go; the next look takes the rest. */
const MAX_DUE = 100
const DUE = `
  SELECT planned.id, planned.project_id AS "projectId", planned.flag_id AS "flagId", planned.request,
    planned.starts_at AS "startsAt", planned.recurrence, planned.due_at AS "dueAt",
    planned.created_by_id AS "createdById", project.timezone
  FROM flag_scheduled_change planned JOIN project ON project.id = planned.project_id
  WHERE planned.due_at <= $1 ORDER BY planned.due_at, planned.id LIMIT ${MAX_DUE}`

/** Plans whose time has come. */
export interface DueChanges {
  /** The longest due first. Rejects with AppError store_unavailable. */
  list(now: Date): Promise<DueChange[]>
}

/** Reads them from PostgreSQL, with the zones of their projects. */
export const createDueChangeStore = (pool: Pool): DueChanges => ({
  list: (now) => whenReachable(async () => (await pool.query<DueChange>(DUE, [now])).rows),
})
