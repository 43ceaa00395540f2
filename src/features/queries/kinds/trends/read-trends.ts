import { readBreakdown } from "../../insights/breakdown.js"
import { inRange } from "../../insights/buckets.js"
import type { DateRange } from "../../insights/date-range.js"
import { joinWithAnd, joinWithOr, queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { checkSampling, refuseOptions } from "../../insights/refusals.js"
import { readSeries } from "../../insights/series.js"
import type { KindContext } from "../kind-context.js"
import { readComparedRange, readInterval, readRange } from "../read-dates.js"
import { type Formula, readFormula } from "./formula.js"
import { findBinEdges } from "./trend-breakdown.js"

const MAX_SERIES = 26
const TOTALS = ["BoldNumber", "ActionsPie", "ActionsBarValue", "ActionsTable", "WorldMap"] as const
const CUMULATIVE = "ActionsLineGraphCumulative"
/** Ways to show a trend that there are numbers for. */
const DISPLAYS = [
  ...TOTALS,
  CUMULATIVE,
  "ActionsLineGraph",
  "ActionsBar",
  "ActionsUnstackedBar",
  "ActionsStackedBar",
  "ActionsAreaGraph",
  "SlopeGraph",
] as const

export interface Period {
  readonly range: DateRange
  readonly compare: "current" | "previous" | null
}
export interface NamedFormula {
  readonly name: string
  readonly calculate: Formula
}
/** A `TrendsQuery`, read. */
export type Trends = Awaited<ReturnType<typeof readTrends>>

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readTrends(reader: QueryReader, context: KindContext) {
  const items = reader.objects("series", { max: MAX_SERIES })
  if (items.length === 0) throw reader.fault("series", "must have at least one item")
  checkSampling(reader)
  refuseOptions(reader, { aggregation_group_type_index: null })
  const filter = reader.object("trendsFilter")
  const display = filter.choice("display", DISPLAYS, "ActionsLineGraph")
  const interval = readInterval(reader)
  const isTotal = TOTALS.some((total) => total === display)
  const range = await readRange(reader, interval, context, !isTotal)
  const isCompared = reader.object("compareFilter").flag("compare") || filter.flag("compare")
  const previous = readComparedRange(reader, range, context, isCompared)
  const scope = await context.hogqlScope()
  const series = items.map((item, index) => readSeries(item, index, scope))
  const conditions = queryConditions(reader, scope)
  // Of both periods, so that a bin is the same in each.
  const isShown = joinWithOr([inRange(range), previous && inRange(previous)])
  const seen = joinWithAnd([isShown, joinWithOr(series.map(({ condition }) => condition)), ...conditions])
  const current: Period = { range, compare: previous && "current" }
  return {
    series,
    periods: previous === null ? [current] : [current, { range: previous, compare: "previous" } satisfies Period],
    interval,
    conditions,
    breakdown: await readBreakdown(reader, context.run.pathCleaning ?? [], (value, bins) =>
      findBinEdges(value, bins, seen, context),
    ),
    formulas: readFormulas(filter, items.length),
    isTotal,
    isCumulative: display === CUMULATIVE,
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
