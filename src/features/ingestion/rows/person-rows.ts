import type { JsonObject } from "../../../kernel/json.js"
import { GROUP_PROPERTY_COLUMNS, PERSON_PROPERTY_COLUMNS, toPropertyColumn } from "../../../kernel/property-columns.js"
import { escapeField, NULL_FIELD } from "../../../kernel/tab-separated.js"
import type { ProjectChanges } from "../../persons/index.js"
import { fromMs } from "./event-row.js"
import { createPropertyFieldsWriter, type PropertyFieldsWriter, writeProperties } from "./property-text.js"

/** The columns of ClickHouse's copies that rows are written for, by table. */
export const COPY_COLUMNS = {
  persons: [
    "project_id",
    "id",
    "created_at",
    "properties",
    "is_identified",
    "is_deleted",
    "version",
    ...PERSON_PROPERTY_COLUMNS.map(toPropertyColumn),
  ],
  person_distinct_ids: ["project_id", "distinct_id", "person_id", "is_deleted", "version"],
  person_distinct_id_overrides: ["project_id", "distinct_id", "person_id", "is_deleted", "version"],
  groups: [
    "project_id",
    "group_type_index",
    "group_key",
    "created_at",
    "updated_at",
    "properties",
    "is_deleted",
    "version",
    ...GROUP_PROPERTY_COLUMNS.map(toPropertyColumn),
  ],
} as const

/** What a batch changes in ClickHouse beside its events, as rows per table: fields between tabs. */
export interface PersonRows {
  readonly livePersons: readonly string[]
  readonly tombstones: readonly string[]
  readonly distinctIds: readonly string[]
  readonly overrides: readonly string[]
  readonly groups: readonly string[]
}

const writePersonFields = createPropertyFieldsWriter(PERSON_PROPERTY_COLUMNS)
const writeGroupFields = createPropertyFieldsWriter(GROUP_PROPERTY_COLUMNS)

/** Writes the changes of all projects of a batch as rows of ClickHouse's copies, in a fixed order. */
export function toPersonRows(changes: readonly ProjectChanges[]): PersonRows {
  const rows: Record<keyof PersonRows, string[]> = {
    livePersons: [],
    tombstones: [],
    distinctIds: [],
    overrides: [],
    groups: [],
  }
  for (const { projectId, persons, distinctIds, groups } of changes) {
    for (const { id, createdAtMs, propertiesJson, isIdentified, isDeleted, version } of persons) {
      const { text, columns } = toPropertyFields(writePersonFields, propertiesJson)
      const row = `${projectId}\t${id}\t${fromMs(createdAtMs)}\t${text}\t${isIdentified}\t${isDeleted}\t${version}`
      const kind = isDeleted ? rows.tombstones : rows.livePersons
      kind.push(row + columns)
    }
    for (const { distinctId, personId, version } of distinctIds) {
      const isFreed = personId === null
      const row = `${projectId}\t${escapeField(distinctId)}\t${isFreed ? NULL_FIELD : personId}\t${isFreed}\t${version}`
      rows.distinctIds.push(row)
      // Version 0 means that no event can carry another person than this one.
      if (version > 0) rows.overrides.push(row)
    }
    for (const { typeIndex, key, createdAtMs, updatedAtMs = createdAtMs, properties, version } of groups) {
      const { text, columns } = toPropertyFields(writeGroupFields, JSON.stringify(properties))
      const times = `${fromMs(createdAtMs)}\t${fromMs(updatedAtMs)}`
      rows.groups.push(
        `${projectId}\t${typeIndex}\t${escapeField(key)}\t${times}\t${text}\tfalse\t${version}${columns}`,
      )
    }
  }
  return rows
}

/**
 * The fields of properties: their text, and those with columns of their own. Both come out of the JSON, because the
 * properties of a person in memory may be those of a later event already.
 */
function toPropertyFields(writePropertyFields: PropertyFieldsWriter, json: string) {
  const properties: JsonObject = JSON.parse(json)
  const text = escapeField(writeProperties(properties, json))
  return { text, columns: writePropertyFields(properties) }
}
