import type { ProjectId } from "../../../kernel/ids.js"
import type { RecordingChangeType } from "./recording-changes.graphql.js"

/** Data of a session has been stored. Small enough to be sent to every process. */
export interface SessionActivity {
  readonly sessionId: string
  /** When capture accepted the newest of it, milliseconds since the epoch. */
  readonly receivedAtMs: number
}

/** A recording began or ended. */
export type RecordingChange = Readonly<Omit<RecordingChangeType, "missedBefore">>

/** Channel on which ingestion publishes the activity that it has stored of a project's sessions. */
export const toActivityChannel = (projectId: ProjectId): string => `recordings:activity:${projectId}`
