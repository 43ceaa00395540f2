import type { EntityManager } from "@mikro-orm/postgresql"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { ActivityEntity } from "../access.entity.js"

/** Somebody changed something. */
export interface Activity {
  readonly id: string
  /** Null for what belongs to an organization or a user. */
  readonly projectId: ProjectId | null
  readonly organizationId: OrganizationId | null
  /** Null when the system itself did it. */
  readonly userId: UserId | null
  /** Kind of the thing: `FeatureFlag`, `PersonalApiKey`. */
  readonly scope: string
  readonly itemId: string
  /** What happened: `created`, `updated`, `deleted`, `revoked`. */
  readonly activity: string
  /** Old and new values, as the feature likes to show them; never a secret. */
  readonly changes: Json
  readonly createdAt: Date
}

/** Adds an entry to the audit log within the unit of work of `em`, so that it is kept exactly when the change is. */
export function recordActivity(em: EntityManager, activity: Activity): void {
  em.persist(em.create(ActivityEntity, { ...activity }))
}
