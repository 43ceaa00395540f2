import type { ProjectId } from "../../../kernel/ids.js"

/** Data of a session has been stored. Small enough to be sent to every process. */
export interface SessionActivity {
  readonly sessionId: string
  /** When capture accepted the newest of it, milliseconds since the epoch. */
  readonly receivedAtMs: number
}

/** A recording began or ended. */
export interface RecordingChange {
  readonly projectId: ProjectId
  readonly sessionId: string
  readonly kind: "started" | "ended"
  /** Milliseconds since the epoch: when its first data was accepted, or when it had been idle for long enough. */
  readonly atMs: number
}

/** Channel on which ingestion publishes the activity that it has stored of a project's sessions. */
export const toActivityChannel = (projectId: ProjectId): string => `recordings:activity:${projectId}`
