export { createCaptureFeature } from "./capture.feature.js"
export { CaptureResolver } from "./capture.resolver.js"
export type { CaptureService } from "./capture.service.js"
export type {
  AcceptedEvent,
  IngestBatch,
  IngestionWarning,
  IngestLog,
  ProjectKeyDirectory,
} from "./capture.types.js"
export { isRetriedText, readLoggedText } from "./log/logged-events.js"
export { LOG_ROW_FORMAT, type PackedRequests, packRequests, unpackRequests } from "./log/logged-requests.js"
export type { CaptureReason } from "./reasons.types.js"
export { ANONYMIZE_SETTING_CHECKS } from "./rules/anonymize-ips.js"
export type { QuotaResource } from "./rules/capture-rules.types.js"
export { toEventRetentionDays } from "./rules/event-retention.js"
export { CAPTURE_SETTING_CHECKS } from "./rules/read-capture-rules.js"
export { SNAPSHOT_EVENT_NAME } from "./snapshot-event-name.js"
export { runSteps } from "./steps/index.js"
export { parseTime } from "./steps/parse-time.js"
export { toWarningKey } from "./warnings/warning-key.js"
