import type { ProjectId } from "../../kernel/ids.js"
import type { AcceptedEvent } from "../capture/index.js"

/** What a request says about all of its events. */
interface RequestFacts {
  readonly projectId: ProjectId
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly clientIp: string
  readonly historicalMigration: boolean
}

/** A request of the ingest log: its events, still as text. */
export interface LoggedRequest extends RequestFacts {
  /** The events as capture logged them, for `readLoggedText`. */
  readonly eventsJson: string
}

/** A row of the ingest log before it is read: some requests of one project. */
export interface LoggedRowSize {
  readonly rowId: string
  readonly eventCount: number
  /** Of its requests as text. */
  readonly bytes: number
}

/** An event that could not be stored, kept with its reason so that nothing acknowledged is ever lost. */
export interface DeadLetter {
  readonly projectId: ProjectId
  /** JSON of the event, or of the whole request when not even its events could be read. */
  readonly event: string
  readonly reason: string
}

/** One accepted event with the facts of its request. */
export interface LoggedEvent extends AcceptedEvent, RequestFacts {}

/** Called with the projects of which something was appended. */
export type AppendListener = (projectIds: ReadonlySet<ProjectId>) => void

/** Tells the ingestion of this process that something was appended to the log. */
export interface IngestSignal {
  /** Calls `listener` after every append, with the projects in it, until the returned function is called. */
  onAppended(listener: AppendListener): () => void
}

/** How far ingestion is behind, over all processes. */
export interface IngestionLag {
  /** Events that capture has acknowledged. */
  readonly accepted: number
  /** Of these, events that ingestion is done with: stored, or dropped for a reason that a warning or dead letter states. */
  readonly stored: number
  /** Age of the oldest event that is not done; 0 when none waits. */
  readonly oldestUnstoredSeconds: number
  /** When these numbers were read; they may be shown for a moment. */
  readonly measuredAt: Date
}
