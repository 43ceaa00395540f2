/**
 * Kinds of things a key may be let at (`docs/contract/management.md#scopes`, and the few kinds that only this service
 * has).
 */
export const SCOPE_OBJECTS = [
  "action",
  "activity_log",
  "annotation",
  "batch_export",
  "cohort",
  "dashboard",
  "dashboard_template",
  "early_access_feature",
  "event_definition",
  "experiment",
  "export",
  "feature_flag",
  "group",
  "ingestion_warning",
  "insight",
  "notebook",
  "organization",
  "organization_member",
  "person",
  "personal_api_key",
  "plugin",
  "project",
  "property_definition",
  "query",
  "session_recording",
  "session_recording_playlist",
  "sharing_configuration",
  "subscription",
  "survey",
  "user",
  "webhook",
] as const

const KNOWN_SCOPES: ReadonlySet<string> = new Set([
  "*",
  ...SCOPE_OBJECTS.flatMap((object) => [`${object}:read`, `${object}:write`]),
])

/** Whether a key may be given this scope at all. */
export const isKnownScope = (scope: string): boolean => KNOWN_SCOPES.has(scope)

/** Whether a key with `scopes` may do what `needed` names: `*` opens everything, `write` implies `read`. */
export function grants(scopes: readonly string[], needed: string): boolean {
  if (scopes.includes("*") || scopes.includes(needed)) return true
  return needed.endsWith(":read") && scopes.includes(needed.replace(/:read$/, ":write"))
}
