import type { ProjectId } from "../../../kernel/ids.js"
import type { IngestionWarning } from "../../capture/index.js"
import type { ProcessingWarning } from "../../persons/index.js"
import type { LoggedEvent } from "../ingestion.types.js"

/** A warning with the project whose users should read it. */
export interface ProjectWarning extends IngestionWarning {
  readonly projectId: ProjectId
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

/** Tells the users of a project which rule a message of a recording did not pass. */
export const toSnapshotWarning = (event: WarnedEvent, reason: string): ProjectWarning => ({
  ...aboutEvent(event),
  severity: "dropped",
  reason,
  detail: null,
})

/** Tells the users of a project about an event that no store would take; the operator finds it among the dead letters. */
export const toDeadLetterWarning = (event: WarnedEvent, detail: string): ProjectWarning => ({
  ...aboutEvent(event),
  severity: "dropped",
  reason: "event_could_not_be_stored",
  detail,
})

const aboutEvent = ({ projectId, uuid, event, distinctId }: WarnedEvent) => ({ projectId, uuid, event, distinctId })
