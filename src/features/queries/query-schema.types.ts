import type { ProjectId } from "../../kernel/ids.js"

export type PropertyType = "String" | "Numeric" | "Boolean" | "DateTime"

/** What ingestion has learned of a project's data: the types of its properties and the names of its group types. */
export interface QuerySchema {
  readonly eventProperties: ReadonlyMap<string, PropertyType>
  readonly personProperties: ReadonlyMap<string, PropertyType>
  /** By group type index, then property name. */
  readonly groupProperties: ReadonlyMap<number, ReadonlyMap<string, PropertyType>>
  /** Index of each group type by its name. */
  readonly groupTypes: ReadonlyMap<string, number>
}

export interface QuerySchemaReader {
  /** At most a few seconds old. */
  read(projectId: ProjectId): Promise<QuerySchema>
}
