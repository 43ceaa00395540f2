import type { ProjectId } from "../../kernel/ids.js"
import type { Traced } from "../../kernel/trace.js"
import type { AcceptedEvent } from "../capture/index.js"
import type { IngestionLagType } from "./ingestion.graphql.js"

/** What a request says about all of its events. */
export interface RequestFacts {
  readonly projectId: ProjectId
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly clientIp: string
  readonly historicalMigration: boolean
}

/** A request of the ingest log: its events, still as text. */
export interface LoggedRequest extends RequestFacts, Traced {
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

/** Why something is a dead letter (`docs/contract/faults.md#dead-letters`). */
export const DEAD_LETTER_REASONS = [
  "unreadable_row",
  "unreadable_request",
  "not_an_event",
  "unreadable_event",
  "unprocessable",
  "refused_by_store",
] as const
export type DeadLetterReason = (typeof DEAD_LETTER_REASONS)[number]

/** An event that could not be stored, kept with its reason so that nothing acknowledged is ever lost. */
export interface DeadLetter extends RequestFacts {
  readonly reason: DeadLetterReason
  /** What the store or the code said. */
  readonly detail: string
  /** JSON of the event, or text of the whole request or row when not even its events could be read. */
  readonly event: string
  /** Null where there is none. */
  readonly eventName: string | null
  /** The event's uuid where it is noted as seen: it is then the only event with that uuid. */
  readonly notedUuid: string | null
}

/** One accepted event with the facts of its request. */
export interface LoggedEvent extends AcceptedEvent, RequestFacts {}

/** How far ingestion is behind, over all processes. */
export interface IngestionLag extends Readonly<IngestionLagType> {
  /** Shards of the log that no process works on; 0 is as it should be. */
  readonly shardsWithoutOwner: number
  readonly shardCount: number
}
