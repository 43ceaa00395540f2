import { isDeepStrictEqual } from "node:util"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { recordActivity } from "../access/index.js"
import type { PluginConfig } from "./plugins.types.js"

/** What is told of a configuration in the audit log. */
type Told = Pick<PluginConfig, "id" | "enabled" | "config"> & { readonly projectId: ProjectId }

/** Who did something to a configuration, and when. */
export interface PluginAuthor {
  /** Of the entry in the log. */
  readonly id: string
  readonly userId: UserId
  readonly at: Date
}

/**
 * Writes down what became of a configuration in the unit of work of `em`; `before` is null for a new one. A change that
 * changes nothing leaves no entry. Options often are passwords of other services, so only their names are told.
 */
export function recordPluginActivity(
  em: EntityManager,
  before: Told | null,
  after: Told,
  { id, userId, at }: PluginAuthor,
): void {
  const changes = before === null ? [] : listChanges(before, after)
  if (before !== null && changes.length === 0) return
  recordActivity(em, {
    id,
    scope: "PluginConfig",
    itemId: String(after.id),
    activity: before === null ? "created" : "updated",
    changes,
    projectId: after.projectId,
    organizationId: null,
    userId,
    createdAt: at,
  })
}

function listChanges(before: Told, after: Told): JsonObject[] {
  const options = [...new Set([...Object.keys(before.config), ...Object.keys(after.config)])]
    .filter((name) => !isDeepStrictEqual(before.config[name], after.config[name]))
    .sort()
  return [
    ...(before.enabled === after.enabled
      ? []
      : [{ field: "enabled", action: "changed", before: before.enabled, after: after.enabled }]),
    ...(options.length === 0 ? [] : [{ field: "config", action: "changed", options }]),
  ]
}
