import type { BucketingIdentifier, EvaluationRuntime, RuleDocument, RuleSource } from "../../flag-engine/index.js"
import type { OrganizationId, ProjectId, UserId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { ChangeOrigin } from "./change-origin.repository.js"

/** A feature flag as it is managed (`docs/contract/flags.md#flag-management`). */
export interface Flag {
  readonly id: number
  readonly projectId: ProjectId
  /** Unique among the project's flags that are not deleted. */
  readonly key: string
  /** The description; the public field is called `name`. */
  readonly name: string
  readonly filters: Json
  readonly active: boolean
  readonly deleted: boolean
  /** Counts the flag's changes from 1. */
  readonly version: number
  readonly ensureExperienceContinuity: boolean
  readonly bucketingIdentifier: BucketingIdentifier
  readonly evaluationRuntime: EvaluationRuntime
  readonly evaluationContexts: string[]
  readonly tags: string[]
  readonly isRemoteConfiguration: boolean
  readonly hasEncryptedPayloads: boolean
  readonly createdAt: Date
  readonly createdById: UserId | null
  readonly updatedAt: Date
  readonly lastModifiedById: UserId | null
}

/** A flag to be stored. */
export type NewFlag = Omit<Flag, "id" | "version">
/** What changes of a flag; an absent field stays. */
export type FlagChanges = Partial<Omit<NewFlag, "projectId" | "createdAt" | "createdById">>

/** What a caller may write of a flag; an absent field stays as it is. */
export interface FlagRequest {
  readonly key?: string | null
  readonly name?: string | null
  readonly filters?: Json
  readonly active?: boolean | null
  readonly deleted?: boolean | null
  readonly ensureExperienceContinuity?: boolean | null
  readonly bucketingIdentifier?: string | null
  readonly evaluationRuntime?: string | null
  readonly evaluationContexts?: readonly string[] | null
  readonly tags?: readonly string[] | null
  readonly isRemoteConfiguration?: boolean | null
  readonly hasEncryptedPayloads?: boolean | null
}

/** Conditions of a list; all given ones must hold. */
export interface FlagFilter {
  /** Part of key or description, any case. */
  readonly search?: string
  readonly active?: boolean
  readonly kind?: FlagKind
  readonly createdById?: number
  readonly evaluationRuntime?: EvaluationRuntime
  /** Flags that have any of these. */
  readonly tags?: readonly string[]
  /** Only these flags. */
  readonly ids?: readonly number[]
}

/** What a flag delivers: on or off, one of several variants, or its payload alone. */
export type FlagKind = "boolean" | "multivariant" | "remote_config"

/** Ties are broken by the number of the flag, so that pages never overlap. */
export interface FlagOrder {
  readonly field: "createdAt" | "updatedAt" | "key" | "name" | "active" | "createdById"
  readonly descending: boolean
}

/** Reads flags of one project that are not deleted, many at once. */
export interface FlagStore {
  listAll(projectId: ProjectId): Promise<Flag[]>
  /** The flag of a key, else of a number. */
  findNamed(projectId: ProjectId, keyOrId: string): Promise<Flag | null>
}

/** Lists, finds and changes single flags. Every call is bounded to one project. */
export interface FlagRepository {
  /** Flags that are not deleted, newest first unless ordered otherwise. */
  list(projectId: ProjectId, filter: FlagFilter, page: PageRequest, order?: FlagOrder): Promise<ListPage<Flag>>
  /** Deleted flags are found too. */
  find(projectId: ProjectId, id: number): Promise<Flag | null>
  /** Grows with every change of the project's flags, cohorts and group types. */
  readRulesVersion(projectId: ProjectId): Promise<number>
  /**
   * Null when the rules no longer have the version at which the flag was checked against the others.
   * @throws AppError unique when another flag of the project has the key.
   */
  insert(flag: NewFlag, rulesVersion: number): Promise<Flag | null>
  /**
   * Changes a flag that still has `expectedVersion` and counts the change; null when somebody else was first.
   * @param rulesVersion version of the rules at which the change was checked against other flags; null when it was not.
   * @throws AppError unique when another flag of the project has the key.
   */
  update(
    projectId: ProjectId,
    id: number,
    expectedVersion: number,
    changes: FlagChanges,
    rulesVersion: number | null,
    origin?: ChangeOrigin,
  ): Promise<Flag | null>
}

/** What rules are built from, and which versions of them are known to all processes. */
export interface RuleSourceStore {
  /** One consistent reading; null when there is no such project. */
  load(projectId: ProjectId): Promise<RuleSource | null>
  /** Present versions of projects; one without any flag may be absent. */
  versions(projectIds: readonly ProjectId[]): Promise<Map<ProjectId, number>>
  /** Projects whose last change was committed but not handed on. */
  unpublished(): Promise<ProjectId[]>
  markPublished(projectId: ProjectId, version: number): Promise<void>
}

/** Rule documents shared by all processes. What is absent may always be built again. */
export interface FlagRuleCache {
  get(projectId: ProjectId): Promise<RuleDocument | null>
  /** Keeps whichever document has the higher version. */
  set(document: RuleDocument): Promise<void>
  delete(projectId: ProjectId): Promise<void>
  close(): Promise<void>
}

/** What this machine last knew, for when every store is away. */
export interface RuleSnapshots {
  read(projectId: ProjectId): Promise<RuleDocument | null>
  /** Keeps whichever document has the higher version; resolves when it is on disk. */
  write(document: RuleDocument): Promise<void>
  delete(projectId: ProjectId): Promise<void>
  /** Projects that any is kept of. */
  listProjectIds(): Promise<ProjectId[]>
  /** When the rules of this machine were last known to be current, milliseconds since the epoch; null when never. */
  readConfirmedAt(): Promise<number | null>
  writeConfirmedAt(confirmedAtMs: number): Promise<void>
}

/** How far the rules of this process may be behind. */
export interface RuleFreshness {
  /** Projects whose rules are in memory. */
  readonly projects: number
  /** Seconds since the rules were last known to be current; null when they never were on this machine. */
  readonly ageSeconds: number | null
}

/** A project as a public key finds it. */
export interface DecideProject extends QuotaHolder {
  readonly token: string
}

/** What the projects feature answers for a public key. */
export interface KeyedProject {
  readonly id: ProjectId
  readonly organizationId?: OrganizationId
  readonly settings: JsonObject
}

/** Finds projects by public key; implemented by the projects feature. */
export interface ProjectDirectory {
  /** Null for a key nobody has. Rejects when that cannot be told. */
  findByKey(token: string, senderIp: string): Promise<KeyedProject | null>
  /** The same without waiting: undefined when `findByKey` has to be asked. */
  findCached(token: string): KeyedProject | null | undefined
  /** Null when there is no such project. Rejects when that cannot be told. */
  findById(projectId: ProjectId): Promise<KeyedProject | null>
  /** Calls `listener` whenever a project changed, in any process. Returns how to stop that. */
  onChange(listener: (projectId: ProjectId) => void): () => void
}

/** What is stored of a person. */
export interface StoredPerson {
  readonly properties: JsonObject
  /** ISO 8601. */
  readonly createdAt: string
}

/** Stored facts about persons, one short read each. */
export interface PersonFacts {
  /** Null for somebody unknown. */
  person(projectId: ProjectId, distinctId: string): Promise<StoredPerson | null>
  staticCohortIds(projectId: ProjectId, distinctId: string): Promise<ReadonlySet<number>>
}

/** Stored facts about groups. */
export interface GroupFacts {
  /**
   * Indexes by name of group types so new that the rules may not hold them yet; of those asked for, others may be among
   * them. At once when nothing of the kind is known to be under way, which is nearly always; else how to read them.
   */
  newGroupTypes(
    projectId: ProjectId,
    typeNames: readonly string[],
  ): ReadonlyMap<string, number> | (() => Promise<ReadonlyMap<string, number>>)
  /** Stored properties, by group type index; a group that is not stored is absent. */
  groupProperties(
    projectId: ProjectId,
    groups: readonly { readonly groupTypeIndex: number; readonly typeName: string; readonly key: string }[],
  ): Promise<ReadonlyMap<number, JsonObject>>
}

/** Stored hash keys of experience continuity (`docs/contract/flags.md#experience-continuity`). */
export interface HashKeys {
  /** Hash key per flag key for these ids; the first id's own wins, then its person's, then the other ids'. */
  read(projectId: ProjectId, distinctIds: readonly string[]): Promise<Map<string, string>>
  /** Stores hash keys for every id; what is there already stays. */
  write(projectId: ProjectId, distinctIds: readonly string[], hashKeys: ReadonlyMap<string, string>): Promise<void>
}

/** Whose quota a request counts against: the project's organization has it. */
export interface QuotaHolder {
  readonly projectId: ProjectId
  readonly organizationId?: OrganizationId
  /** Options that SDKs and features read, one key each. */
  readonly settings: JsonObject
}

/** What an organization has used of its flag requests in a calendar month (UTC). */
export interface FlagUsage {
  /** `2026-03`. */
  readonly month: string
  readonly used: number
  /** Null when there is none. */
  readonly limit: number | null
}

/** Flag requests per organization. Asking and counting never wait and never fail. */
export interface FlagQuota {
  isExceeded(holder: QuotaHolder): boolean
  /** `weight` is 1 for a decision and 10 for definitions that were sent (`docs/contract/flags.md#flag-quota`). */
  count(holder: QuotaHolder, weight: number): void
  usage(holder: QuotaHolder): FlagUsage
}
