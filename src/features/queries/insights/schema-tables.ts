import { TABLES, type TableDefinition } from "../../../hogql/index.js"
import type { JsonObject } from "../../../kernel/json.js"

/** Types as clients of `DatabaseSchemaQuery` know them. */
const WIRE_TYPES: Readonly<Record<string, string>> = {
  String: "string",
  Integer: "integer",
  Float: "float",
  Boolean: "boolean",
  DateTime: "datetime",
  Date: "date",
  UUID: "string",
  Array: "array",
  Json: "json",
  Tuple: "array",
}

/** Every table of HogQL with its fields and what it can be joined with (`docs/contract/queries.md#schema-kinds`). */
export function schemaTables(): JsonObject {
  return Object.fromEntries(
    TABLES.map(({ name, description = null, isGiven, ...table }) => [
      name,
      {
        type: isGiven === true ? "system" : "posthog",
        id: name,
        name,
        description,
        row_count: null,
        fields: toFields(table),
      },
    ]),
  )
}

function toFields(table: Pick<TableDefinition, "columns" | "joins" | "namespaces">): JsonObject {
  const columns = Object.entries(table.columns).map(([name, { type }]) => [
    name,
    toField(name, WIRE_TYPES[type] ?? "unknown"),
  ])
  const joins = Object.entries(table.joins ?? {})
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, join]) => [
      name,
      { ...toField(name, "lazy_table"), table: join.table, fields: joinedFields(join.table), id: join.table },
    ])
  const parts = Object.entries(table.namespaces ?? {}).map(([name, fields]) => [
    name,
    { ...toField(name, "virtual_table"), table: name, fields: Object.keys(fields) },
  ])
  return Object.fromEntries([...columns, ...joins, ...parts])
}

const toField = (name: string, type: string): JsonObject => ({
  name,
  type,
  schema_valid: true,
  hogql_value: /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``,
})

const joinedFields = (name: string): string[] => {
  const table = TABLES.find((known) => known.name === name)
  return table === undefined ? [] : Object.keys(table.columns)
}
