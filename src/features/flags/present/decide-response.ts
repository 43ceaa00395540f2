import type { FlagResult } from "../../../flag-engine/index.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { DecideProject } from "../flags.types.js"
import { presentFlags } from "./flag-maps.js"
import { baseConfig, isRecordingPaused, presentRemoteConfig } from "./remote-config.js"
import type { FlagFormat, ResponseShape } from "./response-version.js"

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

/** The body of an answer as JSON text (`docs/contract/flags.md#response-versions`). */
export function presentDecision(decision: Decision, { format, withConfig }: ResponseShape): string {
  const { project, results, hasErrors, isQuotaExceeded, requestId, evaluatedAtMs } = decision
  const isPaused = withConfig && isRecordingPaused(project, evaluatedAtMs)
  const config = withConfig ? `${isPaused ? pausedConfigMembers(project) : configMembers(project)},` : ""
  const quota = quotaMember(isPaused, isQuotaExceeded)
  const flags = presentFlags(format, results, hasErrors)
  return `{${config}${flags},${quota}"requestId":"${requestId}","evaluatedAt":${evaluatedAtMs}}`
}

const remembered = new WeakMap<DecideProject, string>()

/** The configuration without its braces, worked out once for as long as the project stays as it is. */
function configMembers(project: DecideProject): string {
  let members = remembered.get(project)
  if (members === undefined) {
    members = JSON.stringify(presentRemoteConfig(project, false)).slice(1, -1)
    remembered.set(project, members)
  }
  return members
}

/** The same while recordings are used up, which is rare. */
const pausedConfigMembers = (project: DecideProject): string =>
  JSON.stringify(presentRemoteConfig(project, true)).slice(1, -1)

function quotaMember(isRecordingUsedUp: boolean, areFlagsUsedUp: boolean): string {
  if (!isRecordingUsedUp && !areFlagsUsedUp) return ""
  const limited = [...(isRecordingUsedUp ? ["recordings"] : []), ...(areFlagsUsedUp ? ["feature_flags"] : [])]
  return `"quotaLimited":${JSON.stringify(limited)},`
}

/** The answer to a GET: nothing is evaluated and no key is needed (`docs/contract/flags.md#decision-paths`). */
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
