import { PERSON_PROPERTY_COLUMNS } from "../../kernel/property-columns.js"
import { type ColumnDefinition, storedProperties, type TableDefinition } from "./schema.js"

const properties: ColumnDefinition = {
  type: "Json",
  owner: "person",
  sql: "r.properties",
  properties: storedProperties(PERSON_PROPERTY_COLUMNS),
}

/** What only the stored versions have. */
const VERSION_COLUMNS: TableDefinition["columns"] = {
  is_deleted: { type: "Boolean", sql: "r.is_deleted" },
  version: { type: "Integer", sql: "r.version" },
}

/** Persons as they are now: the newest version of each, deleted ones left out. */
export const PERSONS: TableDefinition = {
  name: "persons",
  stored: "persons",
  isFinal: true,
  sampleKey: "r.id",
  timeColumn: "created_at",
  columns: {
    id: { type: "UUID", sql: "r.id" },
    created_at: { type: "DateTime", sql: "r.created_at" },
    team_id: { type: "Integer", sql: "r.project_id" },
    properties,
    is_identified: { type: "Boolean", sql: "r.is_identified" },
  },
  where: "NOT r.is_deleted",
  joins: { pdi: { table: "person_distinct_ids", from: "id", to: "person_id" } },
}

export const PERSON_DISTINCT_IDS: TableDefinition = {
  name: "person_distinct_ids",
  stored: "person_distinct_ids",
  isFinal: true,
  sampleKey: "r.distinct_id",
  columns: {
    team_id: { type: "Integer", sql: "r.project_id" },
    distinct_id: { type: "String", sql: "r.distinct_id" },
    person_id: { type: "UUID", sql: "r.person_id" },
  },
  where: "NOT r.is_deleted",
  joins: { person: { table: "persons", from: "person_id", to: "id" } },
}

/** Ids whose person changed after events of theirs were stored. */
export const PERSON_DISTINCT_ID_OVERRIDES: TableDefinition = {
  ...PERSON_DISTINCT_IDS,
  name: "person_distinct_id_overrides",
  stored: "person_distinct_id_overrides",
}

/** The same for the join of events, which does not count as a table that the user's query reads. */
export const PERSON_OVERRIDES: TableDefinition = {
  ...PERSON_DISTINCT_ID_OVERRIDES,
  name: "person_overrides",
  internal: true,
}

/** Every stored version, the deleted ones too. */
export const RAW_PERSONS: TableDefinition = {
  name: "raw_persons",
  stored: "persons",
  sampleKey: "r.id",
  columns: { ...PERSONS.columns, ...VERSION_COLUMNS },
}

export const RAW_PERSON_DISTINCT_IDS: TableDefinition = {
  name: "raw_person_distinct_ids",
  stored: "person_distinct_ids",
  sampleKey: "r.distinct_id",
  columns: { ...PERSON_DISTINCT_IDS.columns, ...VERSION_COLUMNS },
}

export const RAW_PERSON_OVERRIDES: TableDefinition = {
  ...RAW_PERSON_DISTINCT_IDS,
  name: "raw_person_distinct_id_overrides",
  stored: "person_distinct_id_overrides",
}
