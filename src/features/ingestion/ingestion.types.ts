import type { ProjectId } from "../../kernel/ids.js"
import type { AcceptedEvent } from "../capture/index.js"
import type { IngestionLagType } from "./ingestion.graphql.js"

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

/** How far ingestion is behind, over all processes. */
export interface IngestionLag extends Readonly<IngestionLagType> {
  /** Shards of the log that no process works on; 0 is as it should be. */
  readonly shardsWithoutOwner: number
}
