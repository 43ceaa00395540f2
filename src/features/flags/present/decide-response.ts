import type { JsonObject } from "../../../kernel/json.js"
import type { FlagFormat, ResponseShape } from "../decide/response-version.js"
import type { FlagResult } from "../evaluate/evaluation.types.js"
import type { DecideProject } from "../flags.types.js"
import { presentFlags } from "./flag-maps.js"
import { baseConfig, presentRemoteConfig } from "./remote-config.js"

/** What a decision came to, before it takes its shape on the wire. */
export interface Decision {
  readonly project: DecideProject
  readonly results: readonly FlagResult[]
  readonly hasErrors: boolean
  readonly isQuotaExceeded: boolean
  /** UUID of the request. */
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly evaluatedAtMs: number
}

/** The body of an answer (`reference/flags.md` 3.1). */
export function presentDecision(decision: Decision, { format, withConfig }: ResponseShape): JsonObject {
  const { project, results, hasErrors, isQuotaExceeded, requestId, evaluatedAtMs } = decision
  return {
    ...(withConfig ? presentRemoteConfig(project) : {}),
    ...presentFlags(format, results, hasErrors),
    ...(isQuotaExceeded ? { quotaLimited: ["feature_flags"] } : {}),
    requestId,
    evaluatedAt: evaluatedAtMs,
  }
}

/** The answer to a GET: nothing is evaluated and no key is needed (`reference/flags.md` 1.1). */
export function presentWithoutEvaluation(format: FlagFormat, requestId: string, evaluatedAtMs: number): JsonObject {
  const flags: JsonObject =
    format === "details" || format === "enabled" ? { flags: {} } : { featureFlags: {}, featureFlagPayloads: {} }
  return {
    ...baseConfig(),
    sessionRecording: false,
    ...flags,
    errorsWhileComputingFlags: false,
    requestId,
    evaluatedAt: evaluatedAtMs,
  }
}
