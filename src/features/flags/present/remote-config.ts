import { isJsonObject, type JsonObject } from "../../../kernel/json.js"
import type { DecideProject } from "../flags.types.js"

/** What decoders here accept. `gzip-js` is the word posthog-js looks for before it compresses at all. */
const SUPPORTED_COMPRESSION = ["gzip", "gzip-js", "lz64"]

const RECORDING_DEFAULTS: JsonObject = {
  endpoint: "/s/",
  consoleLogRecordingEnabled: true,
  recorderVersion: "v2",
  sampleRate: null,
  minimumDurationMilliseconds: null,
  linkedFlag: null,
  networkPayloadCapture: null,
  urlTriggers: [],
  urlBlocklist: [],
  eventTriggers: [],
  scriptConfig: null,
}

/** Configuration that does not depend on the project; what a GET or an unknown project may see. */
export const baseConfig = (): JsonObject => ({
  config: { enable_collect_everything: true },
  toolbarParams: {},
  isAuthenticated: false,
  supportedCompression: [...SUPPORTED_COMPRESSION],
})

/**
 * A project's configuration for SDKs (`docs/contract/flags.md#project-configuration`).
 * `autocapture_opt_out` and `hasFeatureFlags` are always there: without the one posthog-js keeps autocapture off, with
 * the other false it never asks for flags.
 * @param isRecordingPaused whether the project has used up its recordings; pages then record nothing that would be
 * dropped.
 */
export function presentRemoteConfig(project: DecideProject, isRecordingPaused: boolean): JsonObject {
  const { settings, token } = project
  return {
    ...baseConfig(),
    token,
    hasFeatureFlags: true,
    sessionRecording: isRecordingPaused ? false : presentSessionRecording(settings),
    autocapture_opt_out: settings.autocapture_opt_out === true,
    capturePerformance: false,
    autocaptureExceptions: false,
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
    analytics: { endpoint: "/i/v0/e/" },
    elementsChainAsString: true,
    captureDeadClicks: false,
    heatmaps: false,
    surveys: false,
    flagsPersistenceDefault: false,
    defaultIdentifiedOnly: true,
    siteApps: [],
  }
}

/** Whether a project has used up its recordings (setting `quota_limits`, until when), as capture sees it too. */
export function isRecordingPaused({ settings }: DecideProject, nowMs: number): boolean {
  const { quota_limits: limits } = settings
  if (!isJsonObject(limits) || typeof limits.recordings !== "string") return false
  return Date.parse(limits.recordings) > nowMs
}

/** Recording is on unless the project's setting `session_recording` is false; an object there changes its options. */
function presentSessionRecording({ session_recording: setting }: JsonObject): JsonObject | false {
  if (setting === false) return false
  return isJsonObject(setting) ? { ...RECORDING_DEFAULTS, ...setting } : { ...RECORDING_DEFAULTS }
}

/** The same as a script that browser SDKs look for first (`docs/contract/flags.md#browser-configuration`). */
export function presentConfigScript(token: string, config: JsonObject): string {
  const [key, value] = [token, { config, siteApps: [] }].map(toScriptText)
  return `(function(){window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{};window._POSTHOG_REMOTE_CONFIG[${key}]=${value}})();`
}

/** JSON that cannot end the script element it may be put in. */
const toScriptText = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")
