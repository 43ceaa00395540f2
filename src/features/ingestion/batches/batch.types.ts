import type { ProjectId } from "../../../kernel/ids.js"
import type { VisitorStore } from "../../cookieless/index.js"
import type { PersonMerge, PersonStore } from "../../persons/index.js"
import type { Definitions } from "../definitions/definition-catalogue.js"
import type { DeadLetter, LoggedRequest, LoggedRowSize } from "../ingestion.types.js"
import type { EventMeta } from "../reading/scan-requests.js"
import type { Spares } from "../spares/spare-catalogue.js"
import type { ProjectWarning } from "../warnings/ingestion-warning.js"

/**
 * Rows of one shard of the ingest log that are claimed and processed in one transaction. Their ids are stored first, so that a retry
 * processes the same rows under the same token.
 */
export interface IngestBatch {
  readonly shard: number
  /** UUID; ClickHouse stores the rows of one token once. */
  readonly token: string
  /** Higher than that of every batch that the shard had before. */
  readonly number: number
  /** Ids of rows of the ingest log, ascending. */
  readonly rowIds: readonly string[]
}

/** The uuid of an event that may have been stored before. */
export type NewUuid = Pick<EventMeta, "projectId" | "uuid" | "isRetried">

/** How many events of a batch were stored and dropped. */
export interface BatchCounts {
  readonly stored: number
  readonly dropped: number
}

/** What has become of a batch. */
export interface BatchOutcome extends BatchCounts {
  /** Projects whose requests were in it. */
  readonly projectIds: ReadonlySet<ProjectId>
}

/** The transaction of PostgreSQL in which a batch is processed. */
export interface BatchTransaction {
  readonly persons: PersonStore
  readonly visitors: VisitorStore
  /** The batch's rows in the order of the log, without their events. */
  listRows(batch: IngestBatch): Promise<LoggedRowSize[]>
  /** The requests of some rows with their events, in the order of the log. */
  readRequests(rowIds: readonly string[]): Promise<LoggedRequest[]>
  /** Inserts the uuids. @returns the indexes of those that their project has stored before; never that of a retried event. */
  insertUuids(events: readonly NewUuid[]): Promise<ReadonlySet<number>>
  saveDefinitions(definitions: Definitions): Promise<void>
  /** The properties of some projects that have a spare column of events. */
  listSpares(projectIds: readonly ProjectId[]): Promise<Spares>
  /** Gives spare columns to properties that have earned them, by project, as long as there are some. */
  giveSpares(earned: Spares): Promise<void>
  /** Lets others move what they keep by person (cohort members, flag overrides). */
  notifyMerged(merges: readonly PersonMerge[]): Promise<void>
  saveWarnings(warnings: readonly ProjectWarning[]): Promise<void>
  saveDeadLetters(letters: readonly DeadLetter[]): Promise<void>
  /**
   * Runs `work` so that its writes are undone when it rejects, while what came before stays.
   * @throws PoisonError when `work` rejects with one, or when PostgreSQL refuses a value.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Removes rows of the batch from the log. */
  removeRows(rowIds: readonly string[]): Promise<void>
  /** Removes the batch, adds its counts to the progress of the shard and notes that everything up to it is stored. */
  finish(batch: IngestBatch, counts: BatchCounts): Promise<void>
}

/** The log as the owner of a shard sees it. */
export interface BatchLog {
  /** The batch that is not finished, or a new one, committed before it is returned; null when the shard's log is empty. */
  claim(shard: number): Promise<IngestBatch | null>
  transaction<T>(work: (transaction: BatchTransaction) => Promise<T>): Promise<T>
}
