import { GROUP_PROPERTY_COLUMNS } from "../../kernel/property-columns.js"
import { type ColumnDefinition, storedProperties, type TableDefinition } from "./schema.js"

const columns: Readonly<Record<string, ColumnDefinition>> = {
  index: { type: "Integer", sql: "r.group_type_index" },
  team_id: { type: "Integer", sql: "r.project_id" },
  key: { type: "String", sql: "r.group_key" },
  created_at: { type: "DateTime", sql: "r.created_at" },
  updated_at: { type: "DateTime", sql: "r.updated_at" },
  properties: {
    type: "Json",
    owner: "group",
    sql: "r.properties",
    properties: storedProperties(GROUP_PROPERTY_COLUMNS),
  },
}

/** Groups as they are now. */
export const GROUPS: TableDefinition = {
  name: "groups",
  stored: "groups",
  isFinal: true,
  sampleKey: "r.group_key",
  timeColumn: "created_at",
  columns,
  where: "NOT r.is_deleted",
}

export const RAW_GROUPS: TableDefinition = {
  name: "raw_groups",
  stored: "groups",
  sampleKey: "r.group_key",
  columns: { ...columns, version: { type: "Integer", sql: "r.version" } },
}
