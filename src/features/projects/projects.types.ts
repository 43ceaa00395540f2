import type { OrganizationId, ProjectId, UserId } from "../../kernel/ids.js"
import type { ProjectKeyType, ProjectType } from "./projects.graphql.js"

/** A project as every feature may use it. */
export type Project = Readonly<ProjectType>

/** A token with which apps send events and ask for flags; public by nature. */
export type ProjectKey = Readonly<ProjectKeyType>

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
