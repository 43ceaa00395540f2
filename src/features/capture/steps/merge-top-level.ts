import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import type { EventDraft, Step } from "./event-draft.js"

const MERGED_FIELDS = ["$set", "$set_once", "$unset", "$groups", "$group_type", "$group_key", "$group_set"] as const

/**
 * Brings person and group fields that stand beside `properties` into them, where ingestion looks: posthog-js, python,
 * php and mobile clients write `$set` and `$set_once` at the top level (`docs/contract/sdk-wire.md#fields-of-events`).
 * The top level wins per key. Of the group fields, one that `properties` already has is left as it is.
 */
export const mergeTopLevel: Step = (draft) => {
  const { item } = draft
  if (!hasMergedField(item)) return null
  for (const field of MERGED_FIELDS) {
    const given = item[field] ?? null
    if (given === null) continue
    const merged = merge(field, given, draft.properties[field] ?? null)
    if (merged === null) warnUnlessEmptyArray(draft, given)
    else draft.properties = { ...draft.properties, [field]: merged }
  }
  return null
}

/** Most events have none of them, and names from a list are looked up the slow way. */
const hasMergedField = (item: JsonObject): boolean =>
  (item.$set ?? item.$set_once ?? item.$unset ?? item.$groups) != null ||
  (item.$group_type ?? item.$group_key ?? item.$group_set) != null

function merge(field: (typeof MERGED_FIELDS)[number], given: Json, existing: Json): Json | null {
  switch (field) {
    case "$set":
    case "$set_once":
      return isJsonObject(given) ? { ...(isJsonObject(existing) ? existing : {}), ...given } : null
    case "$unset":
      return isUnset(given) ? [...new Set([...listNames(existing), ...listNames(given)])] : null
    default:
      return existing ?? given
  }
}

const isUnset = (value: Json): value is Json[] | JsonObject => Array.isArray(value) || isJsonObject(value)

/**
 * Property names in an `$unset`, which is a list of them or an object whose keys they are
 * (`docs/contract/capture.md#top-level-fields`).
 */
function listNames(unset: Json): Json[] {
  if (Array.isArray(unset)) return unset
  return isJsonObject(unset) ? Object.keys(unset) : []
}

/** PHP writes an empty map as `[]`. */
function warnUnlessEmptyArray(draft: EventDraft, given: Json): void {
  if (!Array.isArray(given) || given.length > 0) draft.warnings.push("ignored_invalid_person_properties")
}
