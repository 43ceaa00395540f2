import type { Series } from "../pictures/drawable"
import type { Result } from "./result"
import { nameBreakdown, toLifecycleSeries, toStickinessSeries, toTrendSeries } from "./to-series"

type Row = readonly unknown[]

const toSeriesRows = (series: readonly Series[]): Row[] => [
  ["Series", "Total", ...(series[0]?.labels ?? [])],
  ...series.map(({ label, count, data }) => [label, count, ...data]),
]

function toRows(result: Result): readonly Row[] {
  switch (result.__typename) {
    case "TrendsResult":
      return toSeriesRows(toTrendSeries(result))
    case "StickinessResult":
      return toSeriesRows(toStickinessSeries(result))
    case "LifecycleResult":
      return toSeriesRows(toLifecycleSeries(result))
    case "FunnelResult": {
      const steps = result.groups.flatMap(({ breakdown, steps: all }) =>
        all.map(({ name, count }) => [breakdown === null ? "" : nameBreakdown(breakdown), name, count]),
      )
      return [["Breakdown", "Step", "People"], ...steps]
    }
    case "RetentionResult":
      return [
        ["Begin", ...(result.matrix[0]?.values.map(({ label }) => label) ?? [])],
        ...result.matrix.map(({ date, values }) => [date, ...values.map(({ count }) => count)]),
      ]
    case "PathsResult":
      return [
        ["From", "To", "People"],
        ...result.links.map(({ source, target, count }) => [source.item, target.item, count]),
      ]
    case "WebOverviewResult":
      return [
        ["Number", "Now", "Before"],
        ...result.items.map(({ key, current, previous }) => [key, current, previous]),
      ]
    case "HogQLResult":
      return [result.columns.map(({ name }) => name), ...result.rows.map((row) => row ?? [])]
    default:
      return []
  }
}

/** Text that a spreadsheet would take for a formula; what strangers sent must not become one. */
const FORMULA = /^[=+\-@\t\r]/

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return typeof value === "object" ? toCell(JSON.stringify(value)) : String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A result as a table of comma-separated values, its headings first; empty where it has no table. */
export const toCsv = (result: Result): string =>
  toRows(result)
    .map((row) => `${row.map(toCell).join(",")}\r\n`)
    .join("")
