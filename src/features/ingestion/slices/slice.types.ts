import type { ProjectId } from "../../../kernel/ids.js"
import type { VisitorStore } from "../../cookieless/index.js"
import type { PersonMerge, PersonStore } from "../../persons/index.js"
import type { Definitions } from "../definitions/definition-catalogue.js"
import type { LoggedEvent, LoggedRequest, LoggedRowSize } from "../ingestion.types.js"
import type { ProjectWarning } from "../warnings/ingestion-warning.js"

/**
 * A piece of one shard's log, written down before any work on it begins: whatever happens, it is worked on again as the
 * same rows under the same token until it is done.
 */
export interface Slice {
  readonly shard: number
  /** UUID; ClickHouse stores the rows of one token once. */
  readonly token: string
  /** Ids of rows of the ingest log, ascending. */
  readonly rowIds: readonly string[]
}

/** What became of the events of a slice, in numbers. */
export interface SliceCounts {
  readonly stored: number
  readonly dropped: number
}

/** An event that could not be stored, kept with its reason so that nothing acknowledged is ever lost. */
export interface DeadLetter {
  readonly projectId: ProjectId
  /** JSON of the event, or of the whole request when not even its events could be read. */
  readonly event: string
  readonly reason: string
}

/** One try at a slice: a transaction of PostgreSQL. Everything in it happens wholly or not at all. */
export interface SliceTransaction {
  readonly persons: PersonStore
  readonly visitors: VisitorStore
  /** The slice's rows in the order of the log, without their events. */
  listRows(slice: Slice): Promise<LoggedRowSize[]>
  /** The requests of some rows with their events, in the order of the log. */
  readRequests(rowIds: readonly string[]): Promise<LoggedRequest[]>
  /** Remembers the uuids and answers the indexes of those that their project has stored before. */
  keepUuids(events: readonly Pick<LoggedEvent, "projectId" | "uuid">[]): Promise<ReadonlySet<number>>
  saveDefinitions(definitions: Definitions): Promise<void>
  /** Lets others move what they keep by person (cohort members, flag overrides). */
  tellMerges(merges: readonly PersonMerge[]): Promise<void>
  saveWarnings(warnings: readonly ProjectWarning[]): Promise<void>
  saveDeadLetters(letters: readonly DeadLetter[]): Promise<void>
  /**
   * Runs `work` so that its writes are undone when it rejects, while what came before stays.
   * @throws PoisonError when `work` rejects with one, or when PostgreSQL refuses a value.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Removes rows of the slice from the log. */
  removeRows(rowIds: readonly string[]): Promise<void>
  /** Removes the slice and adds its events to the progress of the shard. */
  finish(slice: Slice, counts: SliceCounts): Promise<void>
}

/** The log as the owner of a shard sees it. */
export interface SliceLog {
  /** The slice under work, or a new one, committed before it is returned; null when the shard's log is empty. */
  claim(shard: number): Promise<Slice | null>
  transaction<T>(work: (transaction: SliceTransaction) => Promise<T>): Promise<T>
}
