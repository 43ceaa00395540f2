import type { EntityManager } from "@mikro-orm/postgresql"
import type { UserId } from "../../kernel/ids.js"
import { ActivityEntity } from "./access.entity.js"

/** An entry of the audit log: somebody changed something. Its changes never hold a secret. */
export type ActivityEntry = Readonly<ActivityEntity>

/** Adds an entry to the audit log within the unit of work of `em`, so that it is kept exactly when the change is. */
export function recordActivity(em: EntityManager, entry: ActivityEntry): void {
  em.create(ActivityEntity, entry)
}

/** Who changed something of a project, and when. */
export interface Author {
  /** Of the entry in the log. */
  readonly id: string
  readonly userId: UserId
  readonly at: Date
}

/** A thing of a project and what became of it. */
type ProjectChange = Pick<ActivityEntry, "projectId" | "scope" | "itemId" | "activity" | "changes">

/** As `recordActivity`, for a thing that belongs to a project. */
export const recordProjectActivity = (em: EntityManager, change: ProjectChange, { id, userId, at }: Author): void =>
  recordActivity(em, { ...change, id, organizationId: null, userId, createdAt: at })
