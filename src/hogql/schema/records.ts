import type { ColumnDefinition, TableDefinition } from "./schema.js"

const integer = (name: string): ColumnDefinition => ({ type: "Integer", sql: `JSONExtractInt(r.row, '${name}')` })
const text = (name: string): ColumnDefinition => ({ type: "String", sql: `JSONExtractString(r.row, '${name}')` })
const flag = (name: string): ColumnDefinition => ({ type: "Boolean", sql: `JSONExtract(r.row, '${name}', 'Bool')` })
const json = (name: string): ColumnDefinition => ({
  type: "Json",
  owner: "record",
  sql: `JSONExtractRaw(r.row, '${name}')`,
})
const texts = (name: string): ColumnDefinition => ({
  type: "Array",
  sql: `JSONExtract(r.row, '${name}', 'Array(String)')`,
})
const time = (name: string): ColumnDefinition => ({
  type: "DateTime",
  sql: `parseDateTime64BestEffort(JSONExtractString(r.row, '${name}'), 6, 'UTC')`,
})
const optionalText = (name: string): ColumnDefinition => ({
  type: "String",
  nullable: true,
  sql: `JSONExtract(r.row, '${name}', 'Nullable(String)')`,
})

const define = (
  name: string,
  description: string,
  columns: Readonly<Record<string, ColumnDefinition>>,
): TableDefinition => ({
  name: `system.${name}`,
  description,
  stored: "",
  isGiven: true,
  columns: { team_id: integer("team_id"), ...columns },
})

/**
 * Records of the project that people manage, to be read only (`docs/contract/queries.md#tables-of-records`). Their rows
 * are not stored in the engine: they come with the query as a value.
 */
export const RECORD_TABLES: readonly TableDefinition[] = [
  define("feature_flags", "Feature flags that are not deleted, with their conditions as JSON.", {
    id: integer("id"),
    key: text("key"),
    name: text("name"),
    active: flag("active"),
    filters: json("filters"),
    tags: texts("tags"),
    version: integer("version"),
    created_at: time("created_at"),
    updated_at: time("updated_at"),
  }),
  define("cohorts", "Cohorts that are not deleted, with their conditions as JSON.", {
    id: integer("id"),
    name: text("name"),
    description: text("description"),
    is_static: flag("is_static"),
    filters: json("filters"),
    created_at: time("created_at"),
  }),
  define("actions", "Actions that are not deleted, with their steps as JSON.", {
    id: integer("id"),
    name: text("name"),
    description: text("description"),
    steps: json("steps"),
    created_at: time("created_at"),
    updated_at: time("updated_at"),
  }),
  define("session_recording_playlists", "Playlists of recordings that are not deleted.", {
    id: integer("id"),
    short_id: text("short_id"),
    name: optionalText("name"),
    derived_name: optionalText("derived_name"),
    description: text("description"),
    pinned: flag("pinned"),
    filters: json("filters"),
    created_at: time("created_at"),
    last_modified_at: time("last_modified_at"),
  }),
  define("insights", "Insights that are not deleted, with their queries as JSON.", {
    id: integer("id"),
    short_id: text("short_id"),
    name: text("name"),
    description: text("description"),
    tags: texts("tags"),
    query: json("query"),
    created_at: time("created_at"),
    last_modified_at: time("last_modified_at"),
  }),
  define("dashboards", "Dashboards that are not deleted, with their filters and tiles as JSON.", {
    id: integer("id"),
    short_id: text("short_id"),
    name: text("name"),
    description: text("description"),
    tags: texts("tags"),
    pinned: flag("pinned"),
    filters: json("filters"),
    tiles: json("tiles"),
    version: integer("version"),
    created_at: time("created_at"),
    last_modified_at: time("last_modified_at"),
  }),
  define("group_types", "Group types, with the index under which events have the key of a group.", {
    index: integer("index"),
    name: text("name"),
  }),
  define("project", "The project itself: one row.", {
    name: text("name"),
    timezone: text("timezone"),
    week_start_day: integer("week_start_day"),
    created_at: time("created_at"),
  }),
]
