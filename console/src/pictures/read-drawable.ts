import type { Drawable, FunnelStep, RetentionCohort, Run, Series } from "./drawable"
import { type Fields, isObject } from "./is-object"
import { readTypedResult } from "./read-typed-result"

const isSeries = (item: unknown): boolean =>
  isObject(item) && Array.isArray(item.data) && Array.isArray(item.days ?? item.labels)
const isCohort = (item: unknown): boolean => isObject(item) && Array.isArray(item.values) && "date" in item
const isStep = (item: unknown): boolean => isObject(item) && "average_conversion_time" in item

/** Each kind of insight is known by the keys of its items, as REST's and raw results have them. */
function readInsight(results: readonly unknown[]): Drawable | null {
  const [first] = results
  if (isSeries(first)) return { kind: "lines", series: results as readonly Series[] }
  if (isCohort(first)) return { kind: "retention", cohorts: results as readonly RetentionCohort[] }
  if (isStep(first)) return { kind: "funnel", funnels: [results as readonly FunnelStep[]] }
  if (Array.isArray(first) && isStep(first[0]))
    return { kind: "funnel", funnels: results as readonly (readonly FunnelStep[])[] }
  return null
}

function readAnswer({ results, columns }: Fields): Drawable | null {
  if (!Array.isArray(results)) return null
  if (Array.isArray(columns)) return { kind: "table", columns: columns.map(String), rows: results }
  return readInsight(results)
}

/** A list of plain objects, in a connection or not, as a table of their plain fields. */
function readRecords(value: unknown): Drawable | null {
  const page = isObject(value) ? value : {}
  const edges = Array.isArray(page.edges) ? page.edges.map((edge: unknown) => (isObject(edge) ? edge.node : null)) : []
  const records: unknown = Array.isArray(value) ? value : (page.nodes ?? edges)
  if (!Array.isArray(records) || records.length === 0 || !records.every(isObject)) return null
  const columns = Object.keys(records[0] as Fields)
  return { kind: "table", columns, rows: records.map((record: Fields) => columns.map((column) => record[column])) }
}

function readField(value: unknown): Drawable | null {
  if (!isObject(value)) return readRecords(value)
  if ("state" in value) {
    if (isObject(value.answer)) return readAnswer(value.answer)
    return { kind: "run", run: value as unknown as Run }
  }
  // A typed result has the whole answer beside its own fields.
  const answer = isObject(value.answer) ? value.answer : value
  return readTypedResult(value) ?? readAnswer(answer) ?? readRecords(value)
}

/** What of a GraphQL answer's data can be drawn: of the first field that can be, null when none can. */
export function readDrawable(data: unknown): Drawable | null {
  if (!isObject(data)) return null
  for (const value of Object.values(data)) {
    const drawable = readField(value)
    if (drawable !== null) return drawable
  }
  return null
}
