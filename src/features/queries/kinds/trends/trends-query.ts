import type { Query } from "../../../../hogql/index.js"
import { AppError } from "../../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../../kernel/json.js"
import type { Breakdown } from "../../insights/breakdown.js"
import { listBuckets } from "../../insights/buckets.js"
import { checkPoints, needsPacking, packed, unpacked } from "../../insights/points.js"
import { toAnswer } from "../answer.js"
import type { HogqlResult, KindContext } from "../kind-context.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { type NamedFormula, type Period, readTrends, type Trends } from "./read-trends.js"
import {
  areFew,
  isAdditive,
  selectAdditive,
  selectByValues,
  selectMerged,
  selectSample,
  selectTopValues,
} from "./trend-breakdown.js"
import { type TrendLine, toLines, toResult } from "./trend-results.js"
import { selectTrend, type Trend } from "./trend-select.js"

/** Kind `TrendsQuery`: series over time, or totals (`docs/contract/queries.md#trendsquery`). */
export const trendsQuery: KindDefinition = {
  kind: "TrendsQuery",
  async answer(reader, context) {
    const { results, answers } = await calculateTrends(await readTrends(reader, context), context)
    return toAnswer(results, answers)
  },
}

/** The lines of trends as they go out, with the statements that they took. */
export async function calculateTrends(
  trends: Trends,
  context: KindContext,
): Promise<{ readonly results: JsonObject[]; readonly answers: readonly HogqlResult[] }> {
  const answers: HogqlResult[] = []
  const lines: TrendLine[] = []
  const select: SelectRows = async (query) => {
    const found = await context.select(query)
    answers.push(found)
    return found.rows
  }
  for (const period of trends.periods)
    for await (const found of calculateLines(period, trends, context, select)) {
      lines.push(...found)
      checkPoints(lines.reduce((sum, { values }) => sum + values.length, 0))
    }
  const shown =
    trends.formulas.length === 0 ? lines : trends.formulas.flatMap((formula) => applyFormula(lines, formula))
  return { results: shown.map((line) => toResult(line, trends)), answers }
}

type SelectRows = (query: Query) => Promise<HogqlResult["rows"]>
/** How a series with a breakdown reads its points, and what it must know before that. */
interface Selects {
  readonly select: SelectRows
  readonly selectPoints: SelectRows
}
const POINT_COLUMNS = ["bucket", "breakdown", "value"]

/** The lines of one series after the other. */
async function* calculateLines(
  { range, compare }: Period,
  request: Trends,
  { run }: KindContext,
  select: SelectRows,
): AsyncGenerator<TrendLine[]> {
  const { interval, conditions, breakdown, isTotal, isCumulative } = request
  const buckets = isTotal ? [] : listBuckets(range, interval, run)
  const isPacked = needsPacking(buckets.length, breakdown)
  const selectPoints: SelectRows = (query) => select(isPacked ? packed(query, POINT_COLUMNS, "breakdown") : query)
  const isOverlapping = breakdown?.list != null
  const common = { range, interval, buckets, conditions, isTotal, isCumulative, timezone: run.timezone, isOverlapping }
  const trends = request.series.map((series): Trend => ({ ...common, series, breakdown: null }))
  const shared = await selectSharedValues(trends, request, select)
  for (const trend of trends) {
    const found =
      breakdown === null
        ? await select(selectTrend(trend))
        : await selectBrokenDown(trend, breakdown, shared, { select, selectPoints })
    const rows = isPacked ? unpacked(found, POINT_COLUMNS.indexOf("breakdown")) : found
    const line = { series: trend.series, compare, buckets }
    const isBrokenDown = breakdown !== null
    yield toLines(rows, line, { isTotal, isBrokenDown, hidesOther: breakdown?.hidesOther ?? false })
  }
}

/** The values that all series show; null where each shows those that it has the most of. A formula needs the same ones of each. */
async function selectSharedValues(
  trends: readonly Trend[],
  { breakdown, formulas }: Trends,
  select: SelectRows,
): Promise<readonly Json[] | null> {
  if (breakdown === null || breakdown.list !== null || formulas.length === 0 || trends.length === 1) return null
  return (await select(selectTopValues(trends, breakdown))).map(([value]) => value ?? "")
}

/** In one pass over the events where possible; otherwise first the values with the most, then the series broken down by them. */
async function selectBrokenDown(
  trend: Trend,
  breakdown: Breakdown,
  shared: readonly Json[] | null,
  { select, selectPoints }: Selects,
): Promise<HogqlResult["rows"]> {
  if (shared !== null) return selectPoints(selectByValues(trend, breakdown, shared))
  if (isAdditive(trend)) return selectPoints(selectAdditive(trend, breakdown))
  const sample = selectSample(trend, breakdown)
  if (sample !== null && areFew((await select(sample))[0]?.[0])) {
    try {
      return await selectPoints(selectMerged(trend, breakdown))
    } catch (failure) {
      // The sample had few values, but all events have many.
      if (!(failure instanceof AppError && failure.code === "query_memory_limit")) throw failure
    }
  }
  const values = (await select(selectTopValues([trend], breakdown))).map(([value]) => value ?? "")
  return selectPoints(selectByValues(trend, breakdown, values))
}

/** The formula's lines: one per breakdown value and period, series without that value counting as 0. */
function applyFormula(lines: readonly TrendLine[], { name, calculate }: NamedFormula): TrendLine[] {
  const groups = Map.groupBy(lines, ({ compare, breakdown }) => JSON.stringify([compare, breakdown]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const bySeries: (readonly number[])[] = []
    for (const line of group) bySeries[line.series?.order ?? 0] = line.values
    const values = first.values.map((_, place) => calculate(bySeries.map((series) => series[place] ?? 0)))
    return [{ ...first, series: null, label: name, values }]
  })
}
