import { RecordingChangesResolver } from "./changes/recording-changes.resolver.js"
import { RecordingsResolver } from "./recordings.resolver.js"

export { toRecordedPerson, toUnknownPerson } from "./recorded-person.js"
export { recordingEntities } from "./recording-view.entity.js"
export { createRecordingsFeature } from "./recordings.feature.js"
export { RecordingConnection, RecordingPageArgs } from "./recordings.graphql.js"
export type { RecordingsService } from "./recordings.service.js"
export type { RecordedPerson, Recording } from "./recordings.types.js"
export type { SnapshotDropReason, SnapshotMessage } from "./replay/snapshot-message.js"
export { RECORDING_SETTING_CHECKS, toRecordingRetentionDays } from "./retention.js"
export type { PreparedRecordings, RecordingInsert, SnapshotSink } from "./snapshot-sink.js"

/** Every resolver class of this feature. */
export const recordingResolverClasses = [RecordingsResolver, RecordingChangesResolver] as const
