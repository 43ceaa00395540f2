import type { HogqlScope, Query } from "../../../../hogql/index.js"
import { AppError } from "../../../../kernel/errors.js"
import type { Json } from "../../../../kernel/json.js"
import { type Breakdown, readBreakdown } from "../../insights/breakdown.js"
import { bucketsOf } from "../../insights/buckets.js"
import { type DateRange, type Interval, previousRange } from "../../insights/date-range.js"
import { readInterval } from "../../insights/insight-dates.js"
import { checkPoints, needsPacking, packed, unpacked } from "../../insights/points.js"
import { allOf, anyOf, queryConditions } from "../../insights/property-conditions.js"
import { orQueryFault } from "../../insights/query-fault.js"
import { QueryReader } from "../../insights/query-reader.js"
import { checkSampling, refuseOptions } from "../../insights/refusals.js"
import { readSeries, type Series } from "../../insights/series.js"
import type { QueryKind, RunScope } from "../../queries.types.js"
import { answerOf } from "../answer.js"
import type { HogqlResult, HogqlRunner } from "../hogql-runner.js"
import { readRange } from "../read-range.js"
import { type Formula, readFormula } from "./formula.js"
import {
  additiveBreakdown,
  areFew,
  binEdges,
  breakdownByValues,
  isAdditive,
  mergedBreakdown,
  sampledValues,
  topValues,
} from "./trend-breakdown.js"
import { type TrendLine, toLines, toResult } from "./trend-results.js"
import { inRange, type Trend, trendSelect } from "./trend-select.js"

const MAX_SERIES = 26
const TOTALS = new Set(["BoldNumber", "ActionsPie", "ActionsBarValue", "ActionsTable", "WorldMap"])

/** Kind `TrendsQuery`: series over time, or totals (`reference/management.md` 7.8). */
export function createTrendsQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "TrendsQuery",
    async run(query, run) {
      const request = await orQueryFault(async () => readTrends(new QueryReader(query, "TrendsQuery"), runner, run))
      const answers: HogqlResult[] = []
      const lines: TrendLine[] = []
      const select: Select = async (query) => {
        const answer = await runner.runNodes(query, run)
        answers.push(answer)
        return answer
      }
      for (const period of request.periods)
        for await (const found of periodLines(period, request, run, select)) {
          lines.push(...found)
          checkPoints(lines.reduce((sum, { values }) => sum + values.length, 0))
        }
      const shown =
        request.formulas.length === 0 ? lines : request.formulas.flatMap((formula) => calculated(lines, formula))
      return answerOf(
        shown.map((line) => toResult(line, request)),
        answers,
      )
    },
  }
}

interface Period {
  readonly range: DateRange
  readonly compare: "current" | "previous" | null
}
interface NamedFormula {
  readonly name: string
  readonly calculate: Formula
}
/** A `TrendsQuery`, read. */
export interface TrendsRequest {
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
export async function readTrends(reader: QueryReader, runner: HogqlRunner, run: RunScope): Promise<TrendsRequest> {
  const scope: HogqlScope = await runner.scopeOf(run)
  const items = reader.objects("series", { max: MAX_SERIES })
  if (items.length === 0) throw reader.fault("series", "must have at least one item")
  checkSampling(reader)
  refuseOptions(reader, { aggregation_group_type_index: null })
  const filter = reader.object("trendsFilter")
  const display = filter.text("display") ?? ""
  const compare = reader.object("compareFilter")
  const interval = readInterval(reader)
  const isTotal = TOTALS.has(display)
  const range = await readRange(reader, isTotal ? null : interval, runner, run)
  const isCompared = compare.flag("compare") || filter.flag("compare")
  const previous = isCompared ? previousRange(range, compare.text("compare_to") || null, run) : null
  const series = await Promise.all(items.map(readSeries))
  const conditions = await queryConditions(reader, scope)
  // Of both periods, so that a bin is the same in each.
  const isShown = anyOf([range, ...(previous === null ? [] : [previous])].map((period) => inRange(period)))
  const seen = allOf([isShown, anyOf(series.map(({ condition }) => condition)), ...conditions])
  return {
    series,
    periods: previous
      ? [
          { range, compare: "current" },
          { range: previous, compare: "previous" },
        ]
      : [{ range, compare: null }],
    interval,
    conditions,
    breakdown: await readBreakdown(reader, (value, bins) => binEdges(value, bins, seen, runner, run)),
    formulas: readFormulas(filter, items.length),
    isTotal,
    isCumulative: display === "ActionsLineGraphCumulative",
    smoothingIntervals: filter.integer("smoothingIntervals", { min: 0, max: 1000 }) || 1,
    hasSeveralSeries: items.length > 1,
  }
}

function readFormulas(filter: QueryReader, seriesCount: number): NamedFormula[] {
  const single = filter.text("formula")
  const texts = [...(single ? [single] : []), ...(filter.texts("formulas", { max: MAX_SERIES }) ?? [])]
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

type Select = (query: Query) => Promise<HogqlResult>
/** How a broken down series asks the engine: for its points, and for what it must know before that. */
interface Selects {
  readonly select: Select
  readonly selectPoints: Select
}
const POINT_COLUMNS = ["bucket", "breakdown", "value"]

/** The lines of one series after the other. */
async function* periodLines(
  { range, compare }: Period,
  request: TrendsRequest,
  run: RunScope,
  select: Select,
): AsyncGenerator<TrendLine[]> {
  const { interval, conditions, breakdown, isTotal } = request
  const buckets = isTotal ? [] : bucketsOf(range, interval, run)
  const isPacked = needsPacking(buckets.length, breakdown)
  const selectPoints: Select = async (query) =>
    select(isPacked ? await packed(query, POINT_COLUMNS, "breakdown") : query)
  const isOverlapping = breakdown?.list != null
  const common = { range, interval, buckets, conditions, isTotal, timezone: run.timezone, isOverlapping }
  const trends = request.series.map((series): Trend => ({ ...common, series, breakdown: null }))
  const shared = await sharedValues(trends, request, select)
  for (const trend of trends) {
    const found =
      breakdown === null
        ? await select(await trendSelect(trend))
        : await brokenDown(trend, breakdown, shared, { select, selectPoints })
    const rows = isPacked ? unpacked(found.rows, POINT_COLUMNS.indexOf("breakdown")) : found.rows
    const line = { series: trend.series, compare, buckets }
    const isBrokenDown = breakdown !== null
    yield toLines(rows, line, { isTotal, isBrokenDown, hidesOther: breakdown?.hidesOther ?? false })
  }
}

/** The values that all series show; null where each shows those that it has the most of. A formula needs the same ones of each. */
async function sharedValues(
  trends: readonly Trend[],
  { breakdown, formulas }: TrendsRequest,
  select: Select,
): Promise<readonly Json[] | null> {
  if (breakdown === null || breakdown.list !== null || formulas.length === 0 || trends.length === 1) return null
  return (await select(await topValues(trends, breakdown))).rows.map(([value]) => value ?? "")
}

/** From one reading of the events where that can be, else the values with the most first, then the series told apart by them. */
async function brokenDown(
  trend: Trend,
  breakdown: Breakdown,
  shared: readonly Json[] | null,
  { select, selectPoints }: Selects,
): Promise<HogqlResult> {
  if (shared !== null) return selectPoints(await breakdownByValues(trend, breakdown, shared))
  if (isAdditive(trend)) return selectPoints(await additiveBreakdown(trend, breakdown))
  const sample = await sampledValues(trend, breakdown)
  if (sample !== null && areFew((await select(sample)).rows[0]?.[0])) {
    try {
      return await selectPoints(await mergedBreakdown(trend, breakdown))
    } catch (failure) {
      // The values of the sample were few, those of all events were not.
      if (!(failure instanceof AppError && failure.code === "query_memory_limit")) throw failure
    }
  }
  const top = await select(await topValues([trend], breakdown))
  const values = top.rows.map(([value]) => value ?? "")
  return selectPoints(await breakdownByValues(trend, breakdown, values))
}

/** The formula's lines: one per breakdown value and period, series without that value counting as 0. */
function calculated(lines: readonly TrendLine[], { name, calculate }: NamedFormula): TrendLine[] {
  const groups = new Map<string, TrendLine[]>()
  for (const line of lines) {
    const key = JSON.stringify([line.compare, line.breakdown])
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()].map((group) => {
    const first = group[0] as TrendLine
    const bySeries: (readonly number[])[] = []
    for (const line of group) bySeries[line.series?.order ?? 0] = line.values
    const values = first.values.map((_, place) => calculate(bySeries.map((series) => series[place] ?? 0)))
    return { ...first, series: null, label: name, values }
  })
}
