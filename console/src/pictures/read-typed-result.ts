import type { Drawable, FunnelStep, RetentionCohort, Series } from "./drawable"
import { type Fields, isObject } from "./is-object"

/** Whether a list has items, all of them objects that have this list themselves. */
const isListWith = (value: unknown, inner: string): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && Array.isArray(item[inner]))

const listOf = (item: Fields, field: string): readonly Fields[] => item[field] as readonly Fields[]

function toSeries(item: Fields): Series {
  const points = listOf(item, "points")
  return {
    label: String(item.label ?? item.breakdown ?? ""),
    data: points.map(({ value }) => Number(value ?? 0)),
    labels: points.map(({ label, day }) => String(label ?? day ?? "")),
    count: typeof item.total === "number" ? item.total : undefined,
  }
}

const toSteps = (group: Fields): FunnelStep[] =>
  listOf(group, "steps").map(({ name, customName, count }) => ({
    name: customName ? String(customName) : name ? String(name) : null,
    count: Number(count),
    breakdown_value: group.breakdown ?? undefined,
  }))

const toCohort = (row: Fields): RetentionCohort => ({
  date: row.date ? String(row.date) : undefined,
  label: String(row.label ?? ""),
  values: listOf(row, "values").map(({ label, count }) => ({
    label: label ? String(label) : undefined,
    count: Number(count),
  })),
})

const toName = (column: unknown): string => String(isObject(column) ? column.name : column)

/** What a result of the field `query` shows, by the lists that were selected of it; null when none can be drawn. */
export function readTypedResult(result: Fields): Drawable | null {
  const { series, groups, matrix, columns, rows } = result
  if (isListWith(series, "points")) return { kind: "lines", series: series.map(toSeries) }
  if (isListWith(groups, "steps")) return { kind: "funnel", funnels: groups.map(toSteps) }
  if (isListWith(matrix, "values")) return { kind: "retention", cohorts: matrix.map(toCohort) }
  if (Array.isArray(columns) && Array.isArray(rows)) return { kind: "table", columns: columns.map(toName), rows }
  return null
}
