export type { CaptureCall, CaptureEndpoint, CaptureHead, CaptureReply } from "./capture.endpoint.js"
export { type CaptureFeature, type CaptureFeatureDependencies, createCaptureFeature } from "./capture.feature.js"
export { CAPTURE_PATHS } from "./capture.paths.js"
export { CaptureResolver } from "./capture.resolver.js"
export type { CaptureService } from "./capture.service.js"
export type {
  AcceptedEvent,
  AppendedListener,
  IngestBatch,
  IngestionWarning,
  IngestionWarnings,
  IngestLog,
  IngestLogListener,
  ProjectKeyDirectory,
  ProjectRef,
} from "./capture.types.js"
export { readLoggedText } from "./log/logged-events.js"
export { type PackedRequests, packRequests, unpackRequests } from "./log/logged-requests.js"
export { checkProjectKey, keyOf } from "./project-key.js"
export { CAPTURE_SETTING_CHECKS } from "./rules/read-capture-rules.js"
export { SNAPSHOT_EVENT_NAME } from "./snapshots/group-snapshots.js"
export { parseTime } from "./steps/parse-time.js"
export { warningKeyOf } from "./warning-key.js"
