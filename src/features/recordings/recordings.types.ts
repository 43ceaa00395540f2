import type { ProjectId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type {
  RecordedPersonType,
  RecordingFilterInput,
  RecordingOrderEnum,
  RecordingType,
  SnapshotSourceType,
} from "./recordings.graphql.js"

type CountField = keyof RecordingType & `${string}Count`

/** A recorded session as the store adds it up; times in milliseconds since the epoch. */
export interface StoredRecording extends Readonly<Pick<RecordingType, "distinctId" | "snapshotSource" | CountField>> {
  readonly sessionId: string
  readonly startMs: number
  readonly endMs: number
  /** When data last arrived. */
  readonly lastReceivedMs: number
  readonly activeMilliseconds: number
  /** First address, whole; null when none was recorded. */
  readonly firstUrl: string | null
}

/** A recorded session as readers see it (`docs/contract/recordings.md#recording-fields`). */
export interface Recording extends StoredRecording, Readonly<RecordingType> {
  readonly projectId: ProjectId
  /** Lists name only the session's own distinct id of its person. */
  readonly isListed: boolean
}

/**
 * The person of a recording (`docs/contract/recordings.md#person-of-a-recording`); all but ids and properties are null
 * when none is stored.
 */
export type RecordedPerson = Readonly<RecordedPersonType>

/** A stretch of a recording that can be fetched. Keys count from 0 in the order of time and stay while data is added. */
export type SnapshotSource = Readonly<SnapshotSourceType>

/** The order of a list of recordings. */
export interface RecordingOrder {
  readonly by: RecordingOrderEnum
  readonly descending: boolean
}

/** An event that a session must have. */
export interface EventCondition {
  /** Null for any event. */
  readonly event: string | null
  /** Property filters as insights write them; all of them hold for one and the same event. */
  readonly properties: readonly Json[]
  /** Field of the request that it comes from, where that is not `events`. */
  readonly field?: string
}

/** Property filters as insights write them, with the field of the request that faults name. */
export interface PropertyFilters {
  readonly field: string
  readonly filters: Json
}

/** What somebody wants to see of a project's recordings; all given conditions must hold unless `matchAny`. */
export interface RecordingFilter extends Readonly<Omit<RecordingFilterInput, "eventConditions" | "properties">> {
  readonly eventConditions?: readonly EventCondition[]
  readonly properties?: readonly PropertyFilters[]
}

/** Reads projects, whose settings say how long recordings are kept. */
export interface ProjectReader {
  /** @throws AppError not_found. */
  get(projectId: ProjectId): Promise<{ readonly settings: JsonObject }>
}
