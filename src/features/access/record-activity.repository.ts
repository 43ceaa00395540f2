import type { EntityManager } from "@mikro-orm/postgresql"
import { ActivityEntity } from "./access.entity.js"
import type { Activity } from "./access.types.js"

/** Adds an entry to the audit log within the unit of work of `em`, so that it is kept exactly when the change is. */
export function recordActivity(em: EntityManager, activity: Activity): void {
  em.create(ActivityEntity, activity)
}
