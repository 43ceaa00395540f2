import type { PersonId, ProjectId, UserId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type { SessionActivity } from "./changes/recording-change.types.js"
import type { SessionTest } from "./filter/session-test.types.js"
import type { RecordingMeasure } from "./recording-measure.js"
import type { ListValues, RecordingSums } from "./replay/list-values.js"

/** A recorded session as the store adds it up. */
export interface StoredRecording extends RecordingSums {
  readonly sessionId: string
  /** Of the first data. */
  readonly distinctId: string
  /** First address, whole; null when none was recorded. */
  readonly firstUrl: string | null
  readonly snapshotSource: string
}

/** A recorded session as readers see it (`interface.md`, "Session recording"). */
export interface Recording extends StoredRecording, ListValues {
  readonly projectId: ProjectId
  /** Lists name only the session's own distinct id of its person. */
  readonly isListed: boolean
}

/** The person of a recording (`management.md` 4.2); all but ids and properties are null when none is stored. */
export interface RecordedPerson {
  /** A number made from the uuid, the same everywhere. */
  readonly id: number | null
  readonly name: string | null
  readonly distinctIds: readonly string[]
  readonly properties: JsonObject
  readonly createdAt: Date | null
  readonly uuid: PersonId
}

/** The order of a list of recordings. */
export interface RecordingOrder {
  readonly by: RecordingMeasure | "start_time"
  readonly descending: boolean
}

/** A bound on a number of a session. */
export interface MeasureCondition {
  readonly measure: RecordingMeasure
  readonly comparison: "eq" | "gt" | "gte" | "lt" | "lte"
  readonly value: number
}

/** An event that a session must have. */
export interface EventCondition {
  /** Null for any event. */
  readonly event: string | null
  /** Property filters as insights write them; all of them hold for one and the same event. */
  readonly properties: readonly Json[]
}

/** Property filters as insights write them, with the field of the request that faults name. */
export interface PropertyFilters {
  readonly field: string
  readonly filters: Json
}

/** What somebody wants to see of a project's recordings; all given ones must hold unless `matchAny`. */
export interface RecordingFilter {
  /** Three days before now when absent. */
  readonly from?: Date
  readonly to?: Date
  /** Lifts `from` and `to` and sets the order. */
  readonly sessionIds?: readonly string[]
  readonly personUuid?: string
  readonly distinctIds?: readonly string[]
  /** Names of events that the session must have. */
  readonly events?: readonly string[]
  /** Events that the session must have, with their properties. */
  readonly eventConditions?: readonly EventCondition[]
  /** On events, persons, groups, cohorts, the console and the recording itself. */
  readonly properties?: readonly PropertyFilters[]
  /** Levels of which the console must have a line. */
  readonly consoleLevels?: readonly string[]
  /** Part of a line of the console, in any case; of one of the levels if those are given too. */
  readonly consoleSearch?: string
  readonly having?: readonly MeasureCondition[]
  /** One of `events`, `eventConditions`, `properties`, console conditions and `having` is enough. */
  readonly matchAny?: boolean
  /** Leaves out what the project's own filters of test accounts do not hold for. */
  readonly leaveOutTestAccounts?: boolean
}

/** A filter with everything worked out that needs the clock, another store or the project's HogQL. */
export interface RecordingQuery {
  /** Only sessions that start at or after this; retention is part of it. */
  readonly fromMs: number
  readonly toMs: number | null
  readonly sessionIds: readonly string[] | null
  readonly distinctIds: readonly string[] | null
  /** Null when every session will do. */
  readonly test: SessionTest | null
  /** Null for the order of `sessionIds`. */
  readonly order: RecordingOrder | null
}

/**
 * A stretch of a recording that can be fetched. Keys count from 0 in the order of time and stay while data is added at
 * the end.
 */
export interface SnapshotSource {
  readonly blobKey: string
  readonly startTimestamp: Date
  readonly endTimestamp: Date
}

/** Recordings at rest. Every call is bounded to one project; deleted sessions are never found. */
export interface RecordingStore {
  list(projectId: ProjectId, query: RecordingQuery, window: OffsetWindow): Promise<Page<StoredRecording>>
  sources(projectId: ProjectId, sessionId: string): Promise<SnapshotSource[]>
  /** Lines of JSON, `[windowId, item]` each, of the sources with numbers `first` to `last`, in their order. */
  lines(projectId: ProjectId, sessionId: string, first: number, last: number): Promise<string[]>
  /** Sessions of which data arrived at or after `sinceMs`, with when the newest did. */
  ongoing(projectId: ProjectId, sinceMs: number): Promise<SessionActivity[]>
  /** Of these sessions those that were deleted. */
  deletedOf(projectId: ProjectId, sessionIds: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Sessions with data of any of these distinct ids that began up to a time, also when they are hidden, in the order of their
   * ids: at most `limit` of those behind `afterSessionId`.
   */
  sessionsOf(
    projectId: ProjectId,
    distinctIds: readonly string[],
    begunUntilMs: number,
    afterSessionId: string,
    limit: number,
  ): Promise<string[]>
  /** Hides sessions at once and for good, then removes their data. May be repeated. */
  delete(projectId: ProjectId, sessionIds: readonly string[], nowMs: number): Promise<void>
}

/** Who has marked which recording as viewed. */
export interface RecordingViews {
  mark(projectId: ProjectId, sessionIds: readonly string[], userId: UserId, at: Date): Promise<void>
  unmark(projectId: ProjectId, sessionIds: readonly string[], userId: UserId): Promise<void>
  /** Users by session, the first viewer first; sessions nobody viewed are absent. */
  findViewers(projectId: ProjectId, sessionIds: readonly string[]): Promise<Map<string, UserId[]>>
  /** Deletes who viewed sessions that are no more. */
  deleteAll(projectId: ProjectId, sessionIds: readonly string[]): Promise<void>
}

/** What a project has set; how long recordings are kept is among it. */
export interface ProjectSettings {
  /** @throws AppError not_found. */
  settings(projectId: ProjectId): Promise<JsonObject>
}
