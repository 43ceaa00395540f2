import { AppError } from "../../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../../kernel/json.js"
import { compareLines, isOtherValue, toBreakdownLabel, toCohortId } from "../../insights/breakdown.js"
import type { Bucket } from "../../insights/buckets.js"
import { describeSeries, type Series } from "../../insights/series.js"
import { cumulate, sum } from "../../insights/sums.js"
import type { Trends } from "./read-trends.js"

/** One line of a chart, or one number of a total. */
export interface TrendLine {
  readonly series: Series | null
  readonly label: string
  /** Null without a breakdown. */
  readonly breakdown: Json
  /** "current", "previous", or null when nothing is compared. */
  readonly compare: "current" | "previous" | null
  readonly buckets: readonly Bucket[]
  /** One value per bucket; for totals the one value. */
  readonly values: readonly number[]
}

/** `(bucket, breakdown, value)` rows as lines, one per breakdown value, the one with the most first, the rest last. */
export function toLines(
  rows: Iterable<readonly Json[]>,
  line: Omit<TrendLine, "breakdown" | "values" | "label"> & { readonly series: Series },
  { isTotal, isBrokenDown, hidesOther }: { isTotal: boolean; isBrokenDown: boolean; hidesOther: boolean },
): TrendLine[] {
  const places = new Map(line.buckets.map(({ key }, index) => [String(key), index] as const))
  const width = isTotal ? 1 : line.buckets.length
  const byValue = new Map<string, { breakdown: Json; values: number[] }>()
  const find = (breakdown: Json) => {
    const key = JSON.stringify(breakdown)
    const found = byValue.get(key) ?? { breakdown, values: Array.from({ length: width }, () => 0) }
    byValue.set(key, found)
    return found
  }
  if (!isBrokenDown) find(null)
  for (const [bucket, breakdown = null, value] of rows) {
    const found = find(isBrokenDown ? breakdown : null)
    const place = isTotal ? 0 : places.get(String(bucket))
    if (place !== undefined) found.values[place] = toNumber(value)
  }
  const own = line.series.customName ?? line.series.name
  return [...byValue.values()]
    .filter(({ breakdown }) => !(hidesOther && isOtherValue(breakdown)))
    .map((found) => ({ ...line, ...found, label: own }))
    .sort(compareLines(({ values }) => sum(values)))
}

/** @throws AppError hogql_query_error for what an expression of `math_hogql` may give instead of a number. */
function toNumber(value: Json | undefined): number {
  if (value === undefined || value === null || typeof value === "boolean") return Number(value ?? 0)
  if (typeof value === "number" && !Number.isNaN(value)) return value
  throw new AppError("hogql_query_error", { attr: "query", detail: "math_hogql must give a number, such as count()." })
}

/** Averages of each value and the `width` - 1 before it. */
function smooth(values: readonly number[], width: number): number[] {
  if (width <= 1) return [...values]
  return values.map((_, index) => {
    const window = values.slice(Math.max(0, index - width + 1), index + 1)
    return sum(window) / window.length
  })
}

/** A line as it goes out (`docs/contract/queries.md#trendsquery`). */
export function toResult(line: TrendLine, display: Trends): JsonObject {
  const { series, buckets, breakdown } = line
  const label =
    breakdown === null
      ? line.label
      : display.hasSeveralSeries || series === null
        ? `${line.label} - ${toBreakdownLabel(breakdown)}`
        : toBreakdownLabel(breakdown)
  const action = series && describeSeries(series)
  const shown = display.breakdown?.list == null ? breakdown : toCohortId(breakdown)
  const common = { action, label, ...(breakdown !== null && { breakdown_value: shown }) }
  const filter = { ...(line.compare !== null && { compare: true }) }
  const compared = { ...common, filter, ...(line.compare !== null && { compare: true, compare_label: line.compare }) }
  if (display.isTotal)
    return { data: [], days: [], labels: [], count: 0, aggregated_value: line.values[0] ?? 0, ...compared }
  const even = smooth(line.values, display.smoothingIntervals)
  const data = display.isCumulative ? cumulate(even) : even
  return {
    data,
    days: buckets.map(({ day }) => day),
    labels: buckets.map((bucket) => bucket.label),
    count: display.isCumulative ? (data.at(-1) ?? 0) : sum(data),
    ...compared,
  }
}
