import type { Query } from "../../../../hogql/index.js"
import type { Json } from "../../../../kernel/json.js"
import { bucketsOf } from "../../insights/buckets.js"
import { checkPoints, needsPacking, packed, unpacked } from "../../insights/points.js"
import { orQueryFault } from "../../insights/query-fault.js"
import { QueryReader } from "../../insights/query-reader.js"
import type { QueryKind, RunScope } from "../../queries.types.js"
import { answerOf } from "../answer.js"
import type { HogqlResult, HogqlRunner } from "../hogql-runner.js"
import { binsOf, type ConversionSpread, toConversionTrend, toSteps, toTimeToConvert } from "./funnel-results.js"
import { conversionBins, conversionSpread, conversionTrend, stepsSelect, TREND_COLUMNS } from "./funnel-selects.js"
import { type Funnel, readFunnel } from "./read-funnel.js"

/**
 * All actors of a funnel up to 65,409 would be one block, which one thread alone works on after the grouping. In smaller
 * ones they are divided between the threads (`docs/decisions/0028`).
 */
const BLOCK_ROWS = 16_384

/** Kind `FunnelsQuery`: how many come through steps, and how fast (`reference/management.md` 7.8). */
export function createFunnelsQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "FunnelsQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "FunnelsQuery")
      const scope = await runner.scopeOf(run)
      const funnel = await orQueryFault(() => readFunnel(reader, scope, runner, run))
      const answers: HogqlResult[] = []
      const rows = async (built: Promise<Query>) => {
        const answer = await runner.runNodes(await built, run, { blockRows: BLOCK_ROWS })
        answers.push(answer)
        return answer.rows
      }
      return answerOf(await calculate(funnel, run, rows), answers)
    },
  }
}

type Rows = (built: Promise<Query>) => Promise<HogqlResult["rows"]>

async function calculate(funnel: Funnel, run: RunScope, rows: Rows): Promise<Json> {
  if (funnel.view === "steps") return toSteps(await rows(stepsSelect(funnel)), funnel)
  if (funnel.view === "trends") return calculateTrend(funnel, run, rows)
  const [[count, average, shortest, longest] = []] = await rows(conversionSpread(funnel))
  const spread: ConversionSpread = {
    ...{ count: Number(count ?? 0), average: (average as number | null) ?? null },
    ...{ shortest: Number(shortest ?? 0), longest: Number(longest ?? 0) },
  }
  const bins = binsOf(spread, funnel.binCount)
  const found = spread.count === 0 ? [] : await rows(conversionBins(funnel, spread.shortest, bins.seconds))
  return toTimeToConvert(spread, bins, found)
}

async function calculateTrend(funnel: Funnel, run: RunScope, rows: Rows): Promise<Json> {
  const buckets = bucketsOf(funnel.range, funnel.interval, run)
  if (!needsPacking(buckets.length, funnel.breakdown))
    return toConversionTrend(await rows(conversionTrend(funnel)), buckets, funnel)
  const found = await rows(conversionTrend(funnel).then((query) => packed(query, TREND_COLUMNS, "breakdown")))
  checkPoints(found.length * buckets.length)
  return toConversionTrend(unpacked(found, TREND_COLUMNS.indexOf("breakdown")), buckets, funnel)
}
