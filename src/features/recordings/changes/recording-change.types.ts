import type { Place } from "../../../kernel/place.js"
import type { RecordingChangeType } from "./recording-changes.graphql.js"

/** Data of a session has been stored. */
export interface SessionActivity {
  readonly sessionId: string
  /** When capture accepted the newest of it, milliseconds since the epoch. */
  readonly receivedAtMs: number
}

/** The same, of one block. */
export interface StoredBlock extends SessionActivity {
  /** Of the block, in the order of storing. */
  readonly place: Place
}

/** How far the changes of a project have been reported: all that followed of these blocks, and these ends. */
export interface ReportedChanges {
  /** Every block up to here has been looked at. */
  readonly place: Place
  /** Every end until then has been reported, of those at this very time the ones of sessions up to `endedSession`. */
  readonly endedMs: number
  readonly endedSession: string
}

/** A recording began or ended. */
export type RecordingChange = Readonly<Omit<RecordingChangeType, "missedBefore">>

/** The same before it has a cursor. */
export type FoundChange = Pick<RecordingChange, "sessionId" | "kind" | "atMs"> & { readonly reported: ReportedChanges }
