import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import type { QueryAnswer } from "../queries.types.js"

/** An answer as a table: what an export of it holds. */
export interface AnswerTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Json[])[]
}

/**
 * The answer of any kind as rows: tables as they are; lines of a chart with a row per point; steps, items and bins with a
 * row each; retention with a row per interval and return; correlations with a row each. What has no list at all is one row.
 */
export function toTable(answer: QueryAnswer): AnswerTable {
  const { columns, results } = answer
  if (isStrings(columns) && isRows(results)) return { columns, rows: results }
  if (isJsonObject(results) && Array.isArray(results.bins))
    return { columns: ["from_second", "conversions"], rows: results.bins.filter(Array.isArray) }
  if (isJsonObject(results) && Array.isArray(results.events))
    return tabulate(results.events.filter(isJsonObject).map(toCorrelation))
  if (Array.isArray(results))
    return tabulate(results.flat().flatMap((item) => (isJsonObject(item) ? toPoints(item) : [])))
  if (isJsonObject(results)) return tabulate([results])
  const list = ["errors", "suggestions"].map((name) => answer[name]).find(Array.isArray)
  if (list !== undefined) return tabulate(list.filter(isJsonObject))
  return isJsonObject(answer.tables) ? tabulate(listFields(answer.tables)) : tabulate([answer])
}

const isStrings = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string")
const isRows = (value: Json | undefined): value is Json[][] => Array.isArray(value) && value.every(Array.isArray)

/** Fields that identify the line or cohort of an item. */
const NAMES = ["label", "status", "breakdown_value", "compare_label", "date"]

/** A row per point of a chart's line, or per return of a cohort; an item without points is one row. */
function toPoints(item: JsonObject): JsonObject[] {
  const names = Object.fromEntries(
    NAMES.filter((name) => item[name] !== undefined).map((name) => [name, item[name] ?? null]),
  )
  const { data, days, values, aggregated_value: total } = item
  if (total !== undefined) return [{ ...names, value: total }]
  if (Array.isArray(data) && Array.isArray(days))
    return data.map((value, index) => ({ ...names, day: days[index] ?? null, value }))
  if (!Array.isArray(values)) return [item]
  return values.map((value, index) => ({
    ...names,
    interval: index,
    ...(isJsonObject(value) && { count: value.count ?? 0 }),
  }))
}

/** What goes with an outcome of a funnel, by its name alone. */
const toCorrelation = ({ event, ...numbers }: JsonObject): JsonObject => ({
  event: isJsonObject(event) ? (event.event ?? null) : (event ?? null),
  ...numbers,
})

/** Fields of the database's tables. */
const listFields = (tables: JsonObject): JsonObject[] =>
  Object.entries(tables).flatMap(([table, definition]) =>
    Object.values(isJsonObject(definition) && isJsonObject(definition.fields) ? definition.fields : {}).flatMap(
      (field) => (isJsonObject(field) ? [{ table, name: field.name ?? null, type: field.type ?? null }] : []),
    ),
  )

/** Objects as rows, a column for each key that one of them has. */
function tabulate(items: readonly JsonObject[]): AnswerTable {
  const columns = items.length === 0 ? ["value"] : [...new Set(items.flatMap(Object.keys))]
  return { columns, rows: items.map((item) => columns.map((name) => item[name] ?? null)) }
}
