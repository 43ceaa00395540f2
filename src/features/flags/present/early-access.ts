import type { StoredFlag } from "../../../flag-engine/index.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"

const ENROLLMENT_PREFIX = "$feature_enrollment/"
/** The only stage there is here: the one that SDKs ask for by themselves. */
const STAGE = "beta"

/**
 * The features that a user may switch on for themselves: active flags with enrolment, in its present form or as the
 * older `super_groups` (`docs/contract/flags.md#early-access-features`).
 * @param stages those that are asked for, as posthog-js names them one by one; empty for all.
 */
export function earlyAccessFeatures(flags: readonly StoredFlag[], stages: readonly string[]): JsonObject[] {
  if (stages.length > 0 && !stages.includes(STAGE)) return []
  return flags
    .filter((flag) => flag.active && hasEnrollment(flag.filters))
    .map(({ key, name, filters }) => ({
      name: name === "" ? key : name,
      description: "",
      stage: STAGE,
      documentationUrl: null,
      payload: payloadOf(filters),
      flagKey: key,
    }))
}

function hasEnrollment(filters: Json): boolean {
  if (!isJsonObject(filters)) return false
  if (filters.feature_enrollment === true) return true
  const [first] = Array.isArray(filters.super_groups) ? filters.super_groups : []
  const properties = isJsonObject(first) && Array.isArray(first.properties) ? first.properties : []
  return properties.some((one) => isJsonObject(one) && String(one.key).startsWith(ENROLLMENT_PREFIX))
}

/** Payloads are stored as JSON text; SDKs take an object here. */
function payloadOf(filters: Json): JsonObject {
  const stored = isJsonObject(filters) && isJsonObject(filters.payloads) ? filters.payloads.true : undefined
  if (typeof stored !== "string") return {}
  try {
    const payload = JSON.parse(stored) as Json
    return isJsonObject(payload) ? payload : {}
  } catch {
    return {}
  }
}
