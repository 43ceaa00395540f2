import type { EntityManager } from "@mikro-orm/postgresql"
import type { UserId } from "../../kernel/ids.js"
import { ActivityEntity } from "./access.entity.js"
import type { Activity } from "./access.types.js"

/** Adds an entry to the audit log within the unit of work of `em`, so that it is kept exactly when the change is. */
export function recordActivity(em: EntityManager, activity: Activity): void {
  em.create(ActivityEntity, activity)
}

/** Who changed something of a project, and when. */
export interface Author {
  /** Of the entry in the log. */
  readonly id: string
  readonly userId: UserId
  readonly at: Date
}

/** A thing of a project and what became of it. */
type ProjectChange = Pick<Activity, "projectId" | "scope" | "itemId" | "activity" | "changes">

/** As `recordActivity`, for a thing that belongs to a project. */
export const recordProjectActivity = (em: EntityManager, change: ProjectChange, { id, userId, at }: Author): void =>
  recordActivity(em, { ...change, id, organizationId: null, userId, createdAt: at })
