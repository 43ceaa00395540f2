import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import type { OffsetWindow, Page } from "../../../kernel/paging.js"
import type { PropertyGroup } from "./property-group.js"

/** A person as readers see it. */
export interface Person {
  readonly projectId: ProjectId
  readonly id: PersonId
  readonly properties: JsonObject
  readonly isIdentified: boolean
  readonly createdAt: Date
}

/** The ids of persons with one number lie between these two. */
export interface PersonIdRange {
  readonly first: PersonId
  readonly last: PersonId
}

/** Conditions of a list of persons; all given ones must hold. */
export interface PersonFilter {
  /** Part of a name, an e-mail address or a distinct id, in any case; or the whole id of a person. */
  readonly search?: string | undefined
  /** Whole distinct id. */
  readonly distinctId?: string | undefined
  /** Whole e-mail address, in any case. */
  readonly email?: string | undefined
  readonly properties?: PropertyGroup | undefined
}

/** A group as readers see it. */
export interface Group {
  readonly typeIndex: number
  readonly key: string
  readonly properties: JsonObject
  readonly createdAt: Date
}

/** A type of groups and its index, 0 to 4. */
export interface GroupType {
  readonly name: string
  readonly typeIndex: number
}

/** A value of a person property and how many persons have it. */
export interface PropertyValue {
  readonly value: Json
  readonly personCount: number
}

/** Reads the persons and groups of a project. Methods throw AppError store_unavailable when PostgreSQL is away. */
export interface PersonDirectory {
  /** Newest first. */
  list(projectId: ProjectId, filter: PersonFilter, window: OffsetWindow): Promise<Page<Person>>
  /** Persons that exist, in any order. */
  findMany(projectId: ProjectId, ids: readonly PersonId[]): Promise<Person[]>
  /** The first person of a number; null when there is none. */
  findInRange(projectId: ProjectId, range: PersonIdRange): Promise<Person | null>
  /** Persons by the distinct ids asked for; ids that belong to nobody are left out. */
  findByDistinctIds(projectId: ProjectId, distinctIds: readonly string[]): Promise<Map<string, Person>>
  /** Distinct ids per person. */
  listDistinctIds(projectId: ProjectId, ids: readonly PersonId[]): Promise<Map<PersonId, string[]>>
  /** The 20 values that most persons have, of the newest 100,000 persons; `containing` narrows them, in any case. */
  propertyValues(projectId: ProjectId, property: string, containing: string | null): Promise<PropertyValue[]>
  groupTypes(projectId: ProjectId): Promise<GroupType[]>
  /** Groups of one type, newest first; `search` is part of the key or of the property `name`, in any case. */
  groups(projectId: ProjectId, typeIndex: number, search: string | null, window: OffsetWindow): Promise<Page<Group>>
}
