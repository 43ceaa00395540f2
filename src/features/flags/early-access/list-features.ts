import type { StoredFlag } from "../../../flag-engine/index.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { type EarlyAccess, isOffered, readEarlyAccess } from "./early-access.js"

const ENROLLMENT_PREFIX = "$feature_enrollment/"
/** What is asked for where no stage is named. */
const USUAL_STAGES: readonly string[] = ["beta"]

/**
 * The features that users may switch on for themselves, of active flags (`docs/contract/flags.md#early-access-features`).
 * @param stages those that are asked for, as posthog-js names them one by one; `beta` when empty.
 */
export function listEarlyAccessFeatures(flags: readonly StoredFlag[], stages: readonly string[]): JsonObject[] {
  const wanted = stages.length === 0 ? USUAL_STAGES : stages
  return flags.flatMap((flag) => {
    const feature = flag.active ? (readEarlyAccess(flag.filters) ?? toUndescribed(flag)) : null
    if (feature === null || !isOffered(feature.stage) || !wanted.includes(feature.stage)) return []
    return [{ ...feature, payload: payloadOf(flag.filters), flagKey: flag.key }]
  })
}

/** Enrolment in its present form, or as the older `super_groups`, with nothing said of the feature. */
function toUndescribed({ key, name, filters }: StoredFlag): EarlyAccess | null {
  if (!hasEnrollment(filters)) return null
  return { name: name === "" ? key : name, description: "", stage: "beta", documentationUrl: null }
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
