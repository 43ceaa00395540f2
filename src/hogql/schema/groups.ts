import type { TableDefinition } from "./schema.js"

const newest = (column: string) => `argMax(r.${column}, r.version)`

/** Groups as they are now. */
export const GROUPS: TableDefinition = {
  name: "groups",
  stored: "groups",
  sampleKey: "r.group_key",
  timeColumn: "created_at",
  columns: {
    index: { type: "Integer", sql: "r.group_type_index" },
    team_id: { type: "Integer", sql: "any(r.project_id)" },
    key: { type: "String", sql: "r.group_key" },
    created_at: { type: "DateTime", sql: newest("created_at") },
    updated_at: { type: "DateTime", sql: newest("updated_at") },
    properties: { type: "Json", owner: "group", sql: newest("properties") },
  },
  groupBy: ["r.group_type_index", "r.group_key"],
  having: `${newest("is_deleted")} = 0`,
}

export const RAW_GROUPS: TableDefinition = {
  name: "raw_groups",
  stored: "groups",
  sampleKey: "r.group_key",
  columns: {
    index: { type: "Integer", sql: "r.group_type_index" },
    team_id: { type: "Integer", sql: "r.project_id" },
    key: { type: "String", sql: "r.group_key" },
    created_at: { type: "DateTime", sql: "r.created_at" },
    updated_at: { type: "DateTime", sql: "r.updated_at" },
    properties: { type: "Json", owner: "group", sql: "r.properties" },
    version: { type: "Integer", sql: "r.version" },
  },
}
