import type { Query } from "../../../../hogql/index.js"
import { isJsonObject, type Json } from "../../../../kernel/json.js"
import { listBuckets } from "../../insights/buckets.js"
import { checkPoints, needsPacking, packed, unpacked } from "../../insights/points.js"
import type { RunScope } from "../../queries.types.js"
import { toAnswer } from "../answer.js"
import type { HogqlResult } from "../kind-context.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { type ConversionSpread, chooseBins, toConversionTrend, toSteps, toTimeToConvert } from "./funnel-results.js"
import { selectBins, selectSpread, selectSteps, selectTrend, TREND_COLUMNS } from "./funnel-selects.js"
import { leadTo, listRequired, mergeOptional, pickSteps } from "./optional-steps.js"
import { type Funnel, readFunnel } from "./read-funnel.js"

/**
 * All actors of a funnel up to 65,409 would be one block, which one thread alone works on after the grouping. In smaller
 * ones they are divided between the threads (decision 0028).
 */
const BLOCK_ROWS = 16_384

/** Kind `FunnelsQuery`: how many come through steps, and how fast (`docs/contract/queries.md#funnelsquery`). */
export const funnelsQuery: KindDefinition = {
  kind: "FunnelsQuery",
  async answer(reader, context) {
    const funnel = await readFunnel(reader, context)
    const answers: HogqlResult[] = []
    const select: SelectRows = async (query) => {
      const found = await context.select(query, { blockRows: BLOCK_ROWS })
      answers.push(found)
      return found.rows
    }
    const current = await calculate(funnel, context.run, select)
    if (funnel.previous === null) return toAnswer(current, answers)
    const previous = await calculate({ ...funnel, range: funnel.previous }, context.run, select)
    return toAnswer([...label(current, "current"), ...label(previous, "previous")], answers)
  },
}

/** The lists of steps, or the lines, of one of two periods. */
function label(results: Json, period: "current" | "previous"): Json[] {
  const named = (item: Json): Json =>
    isJsonObject(item)
      ? { ...item, compare: true, compare_label: period }
      : Array.isArray(item)
        ? item.map(named)
        : item
  const lists = Array.isArray(results) ? results : []
  // Steps without a breakdown are one list.
  const isOneList = lists.some((item) => isJsonObject(item) && "order" in item)
  return (isOneList ? [lists] : lists).map(named)
}

type SelectRows = (query: Query) => Promise<HogqlResult["rows"]>

async function calculate(funnel: Funnel, run: RunScope, select: SelectRows): Promise<Json> {
  if (funnel.optional.length > 0) return toSteps([await selectOptional(funnel, select)], funnel)
  if (funnel.view === "steps") return toSteps(await select(selectSteps(funnel)), funnel)
  if (funnel.view === "trends") return calculateTrend(funnel, run, select)
  const [[count, average = null, shortest, longest] = []] = await select(selectSpread(funnel))
  const spread: ConversionSpread = {
    count: Number(count ?? 0),
    average: average === null ? null : Number(average),
    shortest: Number(shortest ?? 0),
    longest: Number(longest ?? 0),
  }
  const bins = chooseBins(spread, funnel.binCount)
  const found = spread.count === 0 ? [] : await select(selectBins(funnel, spread.shortest, bins.seconds))
  return toTimeToConvert(spread, bins, found)
}

async function selectOptional(funnel: Funnel, select: SelectRows): Promise<Json[]> {
  const [required = []] = await select(selectSteps(pickSteps(funnel, listRequired(funnel))))
  const rows = new Map<number, Json[]>()
  for (const step of funnel.optional) rows.set(step, (await select(selectSteps(leadTo(funnel, step))))[0] ?? [])
  return mergeOptional(funnel, required, rows)
}

async function calculateTrend(funnel: Funnel, run: RunScope, select: SelectRows): Promise<Json> {
  const buckets = listBuckets(funnel.range, funnel.interval, run)
  const query = selectTrend(funnel)
  if (!needsPacking(buckets.length, funnel.breakdown)) return toConversionTrend(await select(query), buckets, funnel)
  const found = await select(packed(query, TREND_COLUMNS, "breakdown"))
  checkPoints(found.length * buckets.length)
  return toConversionTrend(unpacked(found, TREND_COLUMNS.indexOf("breakdown")), buckets, funnel)
}
