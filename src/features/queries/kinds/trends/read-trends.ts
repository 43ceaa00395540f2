import { type Breakdown, readBreakdown } from "../../insights/breakdown.js"
import { inRange } from "../../insights/buckets.js"
import type { DateRange, Interval } from "../../insights/date-range.js"
import { readComparedRange, readInterval } from "../../insights/insight-dates.js"
import { joinWithAnd, joinWithOr, queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { checkSampling, refuseOptions } from "../../insights/refusals.js"
import { readSeries, type Series } from "../../insights/series.js"
import type { KindContext } from "../kind-context.js"
import { readRange } from "../read-range.js"
import { type Formula, readFormula } from "./formula.js"
import { findBinEdges } from "./trend-breakdown.js"
import type { Trend } from "./trend-select.js"

const MAX_SERIES = 26
const TOTALS = new Set(["BoldNumber", "ActionsPie", "ActionsBarValue", "ActionsTable", "WorldMap"])

export interface Period {
  readonly range: DateRange
  readonly compare: "current" | "previous" | null
}
export interface NamedFormula {
  readonly name: string
  readonly calculate: Formula
}
/** A `TrendsQuery`, read. */
export interface Trends {
  readonly series: readonly Series[]
  readonly periods: readonly Period[]
  readonly interval: Interval
  readonly conditions: Trend["conditions"]
  readonly breakdown: Breakdown | null
  readonly formulas: readonly NamedFormula[]
  readonly isTotal: boolean
  readonly isCumulative: boolean
  readonly smoothingIntervals: number
  readonly hasSeveralSeries: boolean
}

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readTrends(reader: QueryReader, context: KindContext): Promise<Trends> {
  const items = reader.objects("series", { max: MAX_SERIES })
  if (items.length === 0) throw reader.fault("series", "must have at least one item")
  checkSampling(reader)
  refuseOptions(reader, { aggregation_group_type_index: null })
  const filter = reader.object("trendsFilter")
  const display = filter.text("display") ?? ""
  const interval = readInterval(reader)
  const isTotal = TOTALS.has(display)
  const range = await readRange(reader, isTotal ? null : interval, context)
  const isCompared = reader.object("compareFilter").flag("compare") || filter.flag("compare")
  const previous = readComparedRange(reader, range, context.run, isCompared)
  const series = items.map(readSeries)
  const conditions = queryConditions(reader, await context.hogqlScope())
  // Of both periods, so that a bin is the same in each.
  const isShown = joinWithOr([inRange(range), previous && inRange(previous)])
  const seen = joinWithAnd([isShown, joinWithOr(series.map(({ condition }) => condition)), ...conditions])
  return {
    series,
    periods:
      previous === null
        ? [{ range, compare: null }]
        : [
            { range, compare: "current" },
            { range: previous, compare: "previous" },
          ],
    interval,
    conditions,
    breakdown: await readBreakdown(reader, (value, bins) => findBinEdges(value, bins, seen, context)),
    formulas: readFormulas(filter, items.length),
    isTotal,
    isCumulative: display === "ActionsLineGraphCumulative",
    smoothingIntervals: filter.integer("smoothingIntervals", { min: 0, max: 1000 }) || 1,
    hasSeveralSeries: items.length > 1,
  }
}

function readFormulas(filter: QueryReader, seriesCount: number): NamedFormula[] {
  const single = filter.text("formula")
  const texts = [...(single ? [single] : []), ...(filter.strings("formulas", { max: MAX_SERIES }) ?? [])]
  const plain = texts.map((text) => ({ text, name: `Formula (${text})` }))
  const named = filter.objects("formulaNodes", { max: MAX_SERIES }).map((node) => {
    const text = node.requiredText("formula")
    return { text, name: node.text("custom_name") || `Formula (${text})` }
  })
  return (named.length > 0 ? named : plain).map(({ text, name }) => {
    const calculate = readFormula(text, seriesCount)
    if (calculate === null)
      throw filter.fault("formula", "must be a formula over the series' letters such as A / B * 100")
    return { name, calculate }
  })
}
