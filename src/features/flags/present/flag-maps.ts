import type { Json, JsonObject } from "../../../kernel/json.js"
import type { FlagFormat } from "../decide/response-version.js"
import type { FlagResult } from "../evaluate/evaluation.types.js"
import { presentReason } from "./reason-text.js"

/**
 * The flag part of an answer (`reference/flags.md` 3.1). A flag that failed is left out of every format but the detailed
 * one, because clients overwrite what they have with whatever a map says (`decisions.md`).
 */
export function presentFlags(format: FlagFormat, results: readonly FlagResult[], hasErrors: boolean): JsonObject {
  switch (format) {
    case "keys":
      return { featureFlags: results.filter(isOn).map((result) => result.key) }
    case "enabled":
      return { featureFlags: plainObject(results.filter(isOn), servedValue) }
    case "values": {
      const computed = results.filter((result) => result.error === null)
      const paid = computed.filter((result) => result.payload !== null)
      return {
        featureFlags: plainObject(computed, servedValue),
        featureFlagPayloads: plainObject(paid, (result) => result.payload),
        errorsWhileComputingFlags: hasErrors,
      }
    }
    case "details":
      return { flags: plainObject(results, presentDetail), errorsWhileComputingFlags: hasErrors }
  }
}

/** One flag in detail (`reference/flags.md` 3.2). */
function presentDetail(result: FlagResult): JsonObject {
  const { key, enabled, variant, error, id, version, payload } = result
  const { code, conditionIndex, description } = presentReason(result)
  const reason: JsonObject = { code, condition_index: conditionIndex, description }
  const metadata: JsonObject = { id, version, description: null, payload }
  return error === null
    ? { key, enabled, variant, reason, metadata }
    : { key, enabled, variant, failed: true, reason, metadata }
}

const isOn = (result: FlagResult): boolean => result.error === null && result.enabled

const servedValue = (result: FlagResult): Json => result.variant ?? result.enabled

/** Without a prototype: a flag may be called `__proto__`. */
function plainObject(results: readonly FlagResult[], show: (result: FlagResult) => Json): JsonObject {
  const object = Object.create(null) as JsonObject
  for (const result of results) object[result.key] = show(result)
  return object
}
