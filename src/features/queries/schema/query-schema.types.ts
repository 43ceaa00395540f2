import type { HogqlScope } from "../../../hogql/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RecordTable } from "../request/demanded-scopes.js"

/**
 * What queries need to know of a project: the types of its properties and the names of its group types, as ingestion has
 * learned them, the cohorts and actions, and who counts as a test account.
 */
export type QuerySchema = Required<
  Pick<HogqlScope, "propertyDefinitions" | "groupTypes" | "cohorts" | "cohortsById" | "actions" | "testAccountFilters">
> &
  Pick<HogqlScope, "hasAllSessions" | "spares">

/** Reads the schemas of projects. */
export interface QuerySchemaReader {
  /** At most a few seconds old; cohorts and group types are as they are now. */
  read(projectId: ProjectId): Promise<QuerySchema>
  /** What is cached and at most a few seconds old; null, or absent, when nothing is. */
  findCached?(projectId: ProjectId): CachedSchema | null
  /**
   * The rows of a table of records as a list in JSON, as they are now; absent where there are none.
   * @throws HogqlError for more of them than a query may carry
   */
  readRecords?(projectId: ProjectId, table: RecordTable): Promise<string>
}

/** A schema from the cache, whose cohorts and group types may have changed since. */
export interface CachedSchema {
  readonly schema: Promise<QuerySchema>
  /** Whether its cohorts and group types are those of now. */
  isCurrent(): Promise<boolean>
}
