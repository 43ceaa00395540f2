import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"

/** One event that passed every capture step: what ingestion reads back from the ingest log. */
export interface AcceptedEvent {
  /** The client's uuid or a new UUIDv7; lower case. The key of deduplication within a project. */
  readonly uuid: string
  readonly event: string
  /** At most 200 code points, no NUL. */
  readonly distinctId: string
  /** Top-level `$set`, `$set_once`, `$unset` and group fields are already merged in. */
  readonly properties: JsonObject
  /** Corrected time, ISO 8601 UTC with milliseconds. */
  readonly timestamp: string
  /** What the client wrote, when it could be read as a time; ISO 8601 UTC. */
  readonly clientTimestamp: string | null
}

/** The accepted events of one request: one row of the ingest log. */
export interface IngestBatch {
  readonly projectId: ProjectId
  /** When capture received the request, milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly clientIp: string
  readonly historicalMigration: boolean
  readonly events: readonly AcceptedEvent[]
}

/** Where accepted events become durable. The answer to the client never precedes this promise. */
export interface IngestLog {
  /**
   * Resolves when the batch is committed to disk; many calls share one commit.
   * @throws AppError store_unavailable (with retryAfterSeconds) when the log cannot be written.
   */
  append(batch: IngestBatch): Promise<void>
}
