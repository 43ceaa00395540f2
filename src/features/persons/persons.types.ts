import type { PoolClient } from "pg"
import type { PersonId, ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"

/** A person as PostgreSQL keeps it. A deleted one stays as a tombstone, so that its version never goes back. */
export interface PersonRecord {
  readonly id: PersonId
  readonly properties: JsonObject
  readonly isIdentified: boolean
  readonly isDeleted: boolean
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
  /** Grows with every change; ClickHouse keeps the row with the highest one. */
  readonly version: number
  /** Of the JSON of its properties as it was read; absent where nobody counts them. */
  readonly characters?: number
}

/** A person as a batch leaves it. */
export interface ChangedPerson extends PersonRecord {
  /** `properties` as `JSON.stringify` writes them: made for the event rows already, and needed by both stores. */
  readonly propertiesJson: string
  /**
   * Whether nothing but its properties, or that it is identified, differs from what the stores have: then nobody misses it if
   * it is stored later, as long as it is in the same transaction.
   */
  readonly isUpdate?: boolean
}

/** Whom a distinct id belongs to. A freed id (its person was deleted) keeps its row, so that its version never goes back. */
export interface DistinctIdRecord {
  readonly distinctId: string
  readonly personId: PersonId | null
  /** Above 0 once events stored earlier may carry another person: then the id needs an override row in ClickHouse. */
  readonly version: number
}

/** A type of groups as PostgreSQL keeps it. */
export interface GroupTypeRecord {
  readonly name: string
  /** 0 to 4: which `$group_n` column of events holds the keys of this type. */
  readonly typeIndex: number
}

/** A group as PostgreSQL keeps it. */
export interface GroupRecord {
  readonly typeIndex: number
  readonly key: string
  readonly properties: JsonObject
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
  /** When the properties last changed; absent on a record that was only read. */
  readonly updatedAtMs?: number
  /** 1 for a new group. */
  readonly version: number
  /** Of the JSON of its properties as it was read; absent where nobody counts them. */
  readonly characters?: number
}

/** What has to be loaded before one event may be processed. */
export interface EventLookup {
  readonly distinctId: string
  /** The two ids of a merge. */
  readonly merging: readonly [source: string, target: string] | null
  /** The group that it creates or changes. */
  readonly group: { readonly typeName: string; readonly key: string } | null
}

/** What some events touch in one project: loaded in bulk before any of them is processed. */
export interface ProjectLookup {
  readonly projectId: ProjectId
  /** Every distinct id an event carries or wants to merge. */
  readonly distinctIds: readonly string[]
  /** Those that take part in a merge: all other ids of their persons are needed as well, because they move along. */
  readonly mergingDistinctIds: readonly string[]
  readonly groups: readonly { readonly typeName: string; readonly key: string }[]
}

/** What a `ProjectLookup` finds: the state before the events. The workspace changes the persons' properties in place. */
export interface ProjectFacts {
  /** Live persons of the ids looked up, and tombstones of the persons those ids would create. */
  readonly persons: readonly PersonRecord[]
  readonly distinctIds: readonly DistinctIdRecord[]
  /** Ids looked up that have events without a person profile. */
  readonly personlessDistinctIds: readonly string[]
  /** Every group type of the project. */
  readonly groupTypes: readonly GroupTypeRecord[]
  readonly groups: readonly GroupRecord[]
  /**
   * Ids that were deleted with their events: what was accepted up to that moment must not be stored any more. Absent
   * when there are none.
   */
  readonly deletedIds?: readonly DeletedIdRecord[]
  /**
   * What has to be looked up again, because everything together would have been too large: nothing else says anything of these. The
   * first keys of a lookup are always loaded. Absent when all is.
   */
  readonly notLoaded?: Pick<ProjectLookup, "distinctIds" | "groups">
}

/** A distinct id that was deleted together with its events. */
export interface DeletedIdRecord {
  readonly distinctId: string
  /** Milliseconds since the epoch. */
  readonly deletedAtMs: number
}

/** A person that was merged into another one. */
export interface PersonMerge {
  readonly projectId: ProjectId
  readonly sourceId: PersonId
  readonly targetId: PersonId
}

/** What a batch changed in one project: final states only, one per key. */
export interface ProjectChanges {
  readonly projectId: ProjectId
  readonly persons: readonly ChangedPerson[]
  readonly distinctIds: readonly DistinctIdRecord[]
  readonly personlessDistinctIds: readonly string[]
  readonly groupTypes: readonly GroupTypeRecord[]
  readonly groups: readonly GroupRecord[]
  /** In the order in which they happened. */
  readonly merges: readonly PersonMerge[]
}

/** Of a project in which nothing has changed. */
export const NO_CHANGES: Omit<ProjectChanges, "projectId"> = {
  persons: [],
  distinctIds: [],
  personlessDistinctIds: [],
  groupTypes: [],
  groups: [],
  merges: [],
}

/** Persons and groups of the projects of one batch, read and written in bulk inside the batch's transaction. */
export interface PersonStore {
  /**
   * Facts per lookup, in the order of the lookups; of very large persons and groups not all at once (`notLoaded`). Locks the
   * projects against deletions until the transaction ends.
   */
  load(lookups: readonly ProjectLookup[]): Promise<ProjectFacts[]>
  save(changes: readonly ProjectChanges[]): Promise<void>
}

/** Moves what a feature keeps by person from the merged person to the surviving one, in the transaction of the merge. */
export type PersonMergeListener = (client: PoolClient, merges: readonly PersonMerge[]) => Promise<void>

/** Persons of one project that are being deleted, with every distinct id they had. */
export interface DeletedPersons {
  readonly projectId: ProjectId
  readonly personIds: readonly PersonId[]
  readonly distinctIds: readonly string[]
  /** Addresses of theirs, in lower case. */
  readonly emails: readonly string[]
  /** Whether their events go as well. */
  readonly deletesEvents: boolean
  /** What was accepted until then is deleted; milliseconds since the epoch. */
  readonly requestedAtMs: number
}

/**
 * Forgets what a feature keeps by person or distinct id. In the transaction of the deletion, where everybody who changes persons
 * of the project waits for it; or later in one of its own, perhaps more than once, when it has to search.
 */
export type PersonDeletionListener = (client: PoolClient, deleted: DeletedPersons) => Promise<void>

/** Answers to queries that are kept: they show persons who are deleted meanwhile. Implemented by the queries feature. */
export interface KeptAnswers {
  /** Gives up every answer that is kept of the project. */
  forget(client: PoolClient, deleted: Pick<DeletedPersons, "projectId">): Promise<void>
  /** Runs that are executed just now, by ids that are never used again. */
  listExecutingRuns(client: PoolClient, projectId: ProjectId): Promise<string[]>
  /** Forgets those of these runs that are over. Answers whether all were. */
  forgetRuns(client: PoolClient, projectId: ProjectId, runs: readonly string[]): Promise<boolean>
  /** Deletes every answer of the project from the cache. Answers whether that could be done. */
  delete(projectId: ProjectId): Promise<boolean>
}

/** Deletions and splits that PostgreSQL has committed and that are not applied to ClickHouse yet, perhaps because it is away. */
export interface PendingCopies {
  /** Applies them all to ClickHouse. Rejects when it cannot be reached; call again later. */
  applyPending(): Promise<void>
}

/** What goes together with a person. */
export interface DeletionExtent {
  /** All events of its ids. */
  readonly events: boolean
  /** All recordings with data of its ids. */
  readonly recordings: boolean
}

/** Deletes for good the recordings of distinct ids that began up to a time. May be repeated. Answers whether none is left. */
export type DeleteRecordings = (
  projectId: ProjectId,
  distinctIds: readonly string[],
  begunUntilMs: number,
) => Promise<boolean>

/** Sessions that are kept up beside the events. */
export interface KeptSessions {
  /** Whether those of all events are. */
  isFilled(): Promise<boolean>
  /** Adds what is not there yet of events that meet a condition, which is SQL over `events`. */
  refill(condition: string, parameters: Readonly<Record<string, unknown>>): Promise<void>
}
