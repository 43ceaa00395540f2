import { isDeepStrictEqual } from "node:util"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { type Author, recordProjectActivity } from "../access/index.js"
import type { PluginConfig } from "./plugins.types.js"

/** What is told of a configuration in the audit log. */
type Told = Pick<PluginConfig, "id" | "enabled" | "config"> & { readonly projectId: ProjectId }

/**
 * Writes down what became of a configuration in the unit of work of `em`; `before` is null for a new one. A change that
 * changes nothing leaves no entry. Options often are passwords of other services, so only their names are told.
 */
export function recordPluginActivity(em: EntityManager, before: Told | null, after: Told, author: Author): void {
  const changes = before === null ? [] : listChanges(before, after)
  if (before !== null && changes.length === 0) return
  const [itemId, activity] = [String(after.id), before === null ? "created" : "updated"]
  recordProjectActivity(em, { projectId: after.projectId, scope: "PluginConfig", itemId, activity, changes }, author)
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
