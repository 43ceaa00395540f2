import type { Awaitable } from "../../kernel/awaitable.js"
import type { DecodedText } from "../../kernel/direct-route.types.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { CaptureReason } from "./reasons.types.js"

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
  /** Of the address that was discarded, parts as GeoIP names them; null for an unknown one. Undefined where none was. */
  readonly place?: JsonObject | null | undefined
}

/** Finds the place of an address; null where it is not known. Never throws. */
export type FindPlace = (address: string) => JsonObject | null

/** The accepted events of one request: one row of the ingest log. */
export interface IngestBatch {
  readonly projectId: ProjectId
  /** When capture received the request, milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly clientIp: string
  readonly historicalMigration: boolean
  readonly events: readonly AcceptedEvent[]
  /** Whether they are more than can be written out in one go while others wait. */
  readonly isLarge?: boolean
  /** What the request said, where that stands for all its events (`findTextToLog`): a log may write it instead of them. */
  readonly sent?: DecodedText | undefined
}

/** Where accepted events become durable. The answer to the client never precedes this promise. */
export interface IngestLog {
  /**
   * Resolves when the batch is committed to disk; many calls share one commit.
   * @throws AppError store_unavailable (with retryAfterSeconds) when the log cannot be written.
   */
  append(batch: IngestBatch): Promise<void>
}

/** Why no events are accepted just now: too little free disk, or as many waiting as may. */
export type CaptureRefusal = "disk" | "backlog"

/** What one project may send in a minute. */
export interface ByteQuota {
  /** Counts bytes of events. @throws AppError rate_limited when the minute's are used up. */
  take(projectId: ProjectId, bytes: number): void
}

/** Who wants to know that the log has grown: ingestion in the same process. */
export interface IngestLogListener {
  appended(projectIds: ReadonlySet<ProjectId>): void
}

/**
 * Who wants to know what is on disk now: looks at a batch before it is written, and answers what to do with the number of its
 * row before the client is answered; null for nothing. Events that nobody asks for are so not kept in memory until the commit.
 */
export type AppendedListener = (batch: IngestBatch) => ((rowId: string) => void) | null

/** The project that a key belongs to. */
export interface ProjectRef {
  readonly id: ProjectId
  /** The same object until the project changes. */
  readonly settings?: JsonObject
}

/** Finds the project of a project key; answers from memory on nearly every call. */
export interface ProjectKeyDirectory {
  /**
   * Null when no project has this key. Rejects when that cannot be found out, or with AppError rate_limited when the address has
   * tried too many keys that there are not.
   * @param senderIp absent for requests of the server itself.
   */
  find(token: string, senderIp: string | undefined): Awaitable<ProjectRef | null>
}

/** Something that users should know about an event of theirs. */
export interface IngestionWarning {
  /** `dropped`: the event is not ingested. `changed`: it is, but not as it was sent. */
  readonly severity: "dropped" | "changed"
  /** The rule, such as `missing_distinct_id`. */
  readonly reason: CaptureReason
  /** Name of the event as far as it has one. */
  readonly event: string | null
  readonly distinctId: string | null
  readonly uuid: string | null
  /** A sentence about this very event, when the reason does not say it all. */
  readonly detail: string | null
}

/** Where warnings are collected for users to read. Never fails and never makes a request wait. */
export interface IngestionWarnings {
  record(projectId: ProjectId, warnings: readonly IngestionWarning[]): void
}

/** What one rule did to events of one name on one day (UTC), with the newest example. */
export interface IngestionWarningCount extends Omit<IngestionWarning, "severity" | "reason"> {
  readonly severity: string
  /** Of capture or of ingestion, or of another release. */
  readonly reason: string
  readonly occurrences: number
  readonly lastAt: Date
}

/** The collected warnings, for users to read. */
export interface IngestionWarningHistory {
  /** Newest first. */
  list(projectId: ProjectId, page: PageRequest): Promise<ListPage<IngestionWarningCount>>
}
