import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { PersonEvent } from "../../persons/index.js"

/** An accepted event as capture knows it, as far as persons and groups are concerned. */
export interface AcceptedEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly properties: JsonObject
  /** ISO 8601. */
  readonly timestamp: string
}

/** The accepted events of one request, which capture has on disk. */
export interface AcceptedRequest {
  readonly projectId: ProjectId
  readonly receivedAtMs: number
  readonly historicalMigration: boolean
  readonly events: readonly AcceptedEvent[]
}

/** A group as a request names it. */
export interface NamedGroup {
  readonly typeName: string
  readonly key: string
}

/**
 * An event that changes a person or a group, or names a new type of group, and the row of the ingest log that holds it until
 * ingestion has stored it.
 */
export interface PendingEvent {
  readonly rowId: string
  readonly event: PersonEvent
}

/**
 * Changes of persons and groups that capture has acknowledged in this process, or another one told of, and that ingestion may
 * not have stored yet. Bounded in number and size: beyond that the oldest are forgotten, and are then seen once they are stored.
 */
export interface PendingChanges {
  /**
   * What of some accepted events is to be recorded: those that change something, and of those that name a new type of group
   * no more than that.
   */
  findRelevantEvents(projectId: ProjectId, events: readonly AcceptedEvent[]): AcceptedEvent[]
  /** Called by capture before it answers. */
  record(request: AcceptedRequest, rowId: string): void
  /** Whether anything of the project may still be pending. */
  concerns(projectId: ProjectId): boolean
  /** What is pending for these ids and for ids that pending events join to them, in order of arrival. */
  eventsOf(projectId: ProjectId, distinctIds: readonly string[]): PendingEvent[]
  /** What is pending for these groups, in order of arrival. */
  groupEventsOf(projectId: ProjectId, groups: readonly NamedGroup[]): PendingEvent[]
  /**
   * What is pending for the groups of a project, of whatever type, when some of it is of one of these types; else nothing.
   * Types get their places in the order in which they arrive, also those that an event merely names in `$groups`.
   */
  eventsOfGroupTypes(projectId: ProjectId, typeNames: readonly string[]): PendingEvent[]
  /** Projects of whose groups something may be pending. */
  projectsWithGroups(): ProjectId[]
  /** Rows that hold something pending. */
  rowIds(): string[]
  /**
   * Forgets rows that are named in two calls in a row, so that a read that began before the first call still finds
   * them.
   */
  forgetStored(rowIds: ReadonlySet<string>): void
}
