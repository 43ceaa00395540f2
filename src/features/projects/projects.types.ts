import type { OrganizationId, ProjectId, UserId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { ProjectKeyType, ProjectType } from "./projects.graphql.js"

/** A project as every feature may use it. */
export type Project = Readonly<ProjectType>

/** A token with which apps send events and ask for flags; public by nature. */
export type ProjectKey = Readonly<ProjectKeyType>

/**
 * Finds projects in a cache, so that capture and flags go on while PostgreSQL is away. What is cached is at most
 * 30 s old while PostgreSQL answers, an unknown key at most 5 s; changes made here or elsewhere are heard at once.
 */
export interface ProjectDirectory {
  /**
   * The project of a live key, null for a key that is none. @throws AppError store_unavailable when the key is not in
   * memory and PostgreSQL does not answer.
   */
  findByKey(token: string): Promise<Project | null>
  /** The same without waiting: undefined when `findByKey` has to be asked. */
  findCached(token: string): Project | null | undefined
  /** @throws AppError store_unavailable as `findByKey`. */
  findById(projectId: ProjectId): Promise<Project | null>
  /** The settings of a project. @throws AppError not_found. */
  settings(projectId: ProjectId): Promise<JsonObject>
  /** The organization that owns a project; null when there is no such project. */
  findOrganizationId(projectId: ProjectId): Promise<OrganizationId | null>
  /** The oldest project of these organizations; null when they have none. */
  findFirstProjectId(organizationIds: readonly OrganizationId[]): Promise<ProjectId | null>
  /** Invalidates what is cached of a project, here and in every other process. */
  announceChange(projectId: ProjectId): Promise<void>
  /** Calls `listener` whenever a project or its keys changed, in any process. */
  onChange(listener: (projectId: ProjectId) => void): () => void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Which projects a list shows: all of these organizations, and only these ids when given. */
export interface ProjectFilter {
  readonly organizationIds: readonly OrganizationId[]
  readonly projectIds: readonly ProjectId[] | null
}

/** A project to be stored, with its first key. */
export interface NewProject extends Omit<Project, "id" | "apiToken" | "createdAt"> {
  readonly key: ProjectKey
  readonly createdBy: UserId
}

/** What may be changed of a project; an absent field stays. `settings` are merged key by key, null removes a key. */
export type ProjectChanges = Partial<Pick<Project, "name" | "timezone" | "weekStartDay" | "settings">>

/** Reads of projects that capture, decisions and every request wait for. */
export interface ProjectLookupStore {
  /** The project of a live key. */
  findByKey(token: string): Promise<Project | null>
  findById(id: ProjectId): Promise<Project | null>
  /** The oldest project of these organizations; null when they have none. */
  findFirst(organizationIds: readonly OrganizationId[]): Promise<ProjectId | null>
  /** Those of the projects that have ever stored an event. */
  withEvents(ids: readonly ProjectId[]): Promise<ReadonlySet<ProjectId>>
}
