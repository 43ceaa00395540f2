import type { CohortDefinition } from "../../../hogql/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"

/** How queries read a property. */
export type PropertyType = "String" | "Numeric" | "Boolean" | "DateTime"

/**
 * What queries need to know of a project: the types of its properties and the names of its group types, as ingestion has
 * learned them, the cohorts, and who counts as a test account.
 */
export interface QuerySchema {
  readonly eventProperties: ReadonlyMap<string, PropertyType>
  readonly personProperties: ReadonlyMap<string, PropertyType>
  /** By group type index, then property name. */
  readonly groupProperties: ReadonlyMap<number, ReadonlyMap<string, PropertyType>>
  /** Index of each group type by its name. */
  readonly groupTypes: ReadonlyMap<string, number>
  /** Id of each live cohort by its name; of several of one name the oldest. */
  readonly cohorts: ReadonlyMap<string, number>
  /** The live cohorts with what they mean. */
  readonly cohortsById: ReadonlyMap<number, CohortDefinition>
  /** Property filters of the project's settings that leave test accounts out. */
  readonly testAccountFilters: readonly Json[]
}

/** Reads the schemas of projects. */
export interface QuerySchemaReader {
  /** At most a few seconds old; cohorts and group types are as they are now. */
  read(projectId: ProjectId): Promise<QuerySchema>
  /** What is remembered and at most a few seconds old; null, or absent, when nothing is. */
  remembered?(projectId: ProjectId): RememberedSchema | null
}

/** A schema that is known without asking, so that its cohorts and group types may have changed since. */
export interface RememberedSchema {
  readonly schema: Promise<QuerySchema>
  /** Whether its cohorts and group types are those of now. */
  isCurrent(): Promise<boolean>
}
