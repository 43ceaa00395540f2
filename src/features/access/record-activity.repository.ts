import { isDeepStrictEqual } from "node:util"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { UserId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import { ActivityEntity } from "./access.entity.js"

/** An entry of the audit log: somebody changed something. Its changes never hold a secret. */
export type ActivityEntry = Readonly<ActivityEntity>

/** Adds an entry to the audit log within the unit of work of `em`, so that it is kept exactly when the change is. */
export function recordActivity(em: EntityManager, entry: ActivityEntry): void {
  em.create(ActivityEntity, entry)
}

/** Fields in the audit log, by the names of the wire; they are JSON. */
export type AuditedFields = Readonly<Record<string, string>>

/** What is different of a record after a change, field by field, as entries have it. */
export function listChanges(fields: AuditedFields, before: object, after: object): JsonObject[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return Object.entries(fields).flatMap(([field, property]) => {
    const change = { field, action: "changed", before: old.get(property), after: now.get(property) }
    return isDeepStrictEqual(change.before, change.after) ? [] : [change]
  })
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

/**
 * Rewrites what earlier entries about a thing say, within the unit of work of `em`: something in them has become secret.
 * @param redact returns what to keep of an entry's changes.
 */
export async function redactActivity(
  em: EntityManager,
  { projectId, scope, itemId }: Pick<ActivityEntry, "projectId" | "scope" | "itemId">,
  redact: (changes: Json) => Json,
): Promise<void> {
  for (const entry of await em.find(ActivityEntity, { projectId, scope, itemId })) entry.changes = redact(entry.changes)
}
