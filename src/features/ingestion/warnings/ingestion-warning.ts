import type { ProjectId } from "../../../kernel/ids.js"
import type { CaptureReason, IngestionWarning } from "../../capture/index.js"
import type { ProcessingWarning, WarningType } from "../../persons/index.js"
import type { SnapshotDropReason } from "../../recordings/index.js"
import type { LoggedEvent } from "../ingestion.types.js"

/** All that users are told of by warnings: rules of capture, of persons and recordings, and what a store refuses. */
export type IngestionWarningReason = CaptureReason | WarningType | SnapshotDropReason | "event_could_not_be_stored"

/** A warning with the project whose users should read it. */
export interface ProjectWarning extends Omit<IngestionWarning, "reason"> {
  readonly projectId: ProjectId
  readonly reason: IngestionWarningReason
}

type WarnedEvent = Pick<LoggedEvent, "projectId" | "uuid" | "event" | "distinctId">

/** A warning from person and group processing; its facts become the detail. */
export const toIngestionWarning = (
  event: WarnedEvent,
  { type, details }: ProcessingWarning,
  kept: boolean,
): ProjectWarning => ({
  ...aboutEvent(event),
  severity: kept ? "changed" : "dropped",
  reason: type,
  detail: JSON.stringify(details),
})

/** A warning that an event, or a message of a recording, was dropped; `reason` is the rule that it did not pass. */
export const toDropWarning = (
  event: WarnedEvent,
  reason: IngestionWarningReason,
  detail: string | null,
): ProjectWarning => ({
  ...aboutEvent(event),
  severity: "dropped",
  reason,
  detail,
})

const aboutEvent = ({ projectId, uuid, event, distinctId }: WarnedEvent) => ({ projectId, uuid, event, distinctId })
