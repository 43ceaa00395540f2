import { isDeepStrictEqual } from "node:util"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { type Author, recordProjectActivity } from "../access/index.js"
import type { PluginConfig } from "./plugins.types.js"

/** What the audit log shows of a configuration. */
type AuditedFields = Pick<PluginConfig, "id" | "enabled" | "config"> & { readonly projectId: ProjectId }

/**
 * Logs a change of a configuration in the unit of work of `em`; `before` is null for a new one. A change that changes nothing
 * leaves no entry. Options often are passwords of other services, so only their names are logged.
 */
export function recordPluginActivity(
  em: EntityManager,
  before: AuditedFields | null,
  after: AuditedFields,
  author: Author,
): void {
  const changes = before === null ? [] : listChanges(before, after)
  if (before !== null && changes.length === 0) return
  const [itemId, activity] = [String(after.id), before === null ? "created" : "updated"]
  recordProjectActivity(em, { projectId: after.projectId, scope: "PluginConfig", itemId, activity, changes }, author)
}

function listChanges(before: AuditedFields, after: AuditedFields): JsonObject[] {
  const options = [...new Set([...Object.keys(before.config), ...Object.keys(after.config)])]
    .filter((name) => !isDeepStrictEqual(before.config[name], after.config[name]))
    .sort()
  const changes: JsonObject[] = []
  if (before.enabled !== after.enabled)
    changes.push({ field: "enabled", action: "changed", before: before.enabled, after: after.enabled })
  if (options.length > 0) changes.push({ field: "config", action: "changed", options })
  return changes
}
