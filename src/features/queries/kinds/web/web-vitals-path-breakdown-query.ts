import { cleanPath, nodes } from "../../../../hogql/index.js"
import type { Json } from "../../../../kernel/json.js"
import { inRange } from "../../insights/buckets.js"
import { toAggregate } from "../../insights/math.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { refuseComparison, refuseOptions } from "../../insights/refusals.js"
import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readWebQuery } from "./read-web-query.js"

const { call, constant, field } = nodes

const METRICS = ["INP", "LCP", "CLS", "FCP"] as const
const PERCENTILES = ["p75", "p90", "p99"] as const
const BANDS = ["good", "needs_improvements", "poor"] as const
/** Paths of one band that are shown. */
const MAX_PATHS = 20

/**
 * Kind `WebVitalsPathBreakdownQuery`: how fast the pages of a site are, by path and in three bands
 * (`docs/contract/queries.md#web-kinds`).
 */
export const webVitalsPathBreakdownQuery: KindDefinition = {
  kind: "WebVitalsPathBreakdownQuery",
  async answer(reader, context) {
    refuseOptions(reader, { conversionGoal: null })
    refuseComparison(reader)
    const metric = reader.choice("metric", METRICS, "INP")
    const percentile = reader.choice("percentile", PERCENTILES, "p75")
    const [good, fair] = readThresholds(reader)
    const { range, filters, pathCleaning } = await readWebQuery(reader, context)
    const measured = call("toFloat", [field(["properties", `$web_vitals_${metric}_value`])])
    const found = await context.select(
      template(
        `SELECT multiIf(value <= {good}, 'good', value <= {fair}, 'needs_improvements', 'poor') AS band, path, value
         FROM (
           SELECT {path} AS path, {value} AS value FROM events
           WHERE event = '$web_vitals' AND path IS NOT NULL AND {measured} IS NOT NULL AND {where} GROUP BY path
         )
         WHERE value >= 0 ORDER BY value, path LIMIT {most} BY band`,
        {
          good: constant(good),
          fair: constant(fair),
          value: toAggregate(percentile, measured),
          measured,
          path: cleanPath(field(["properties", "$pathname"]), pathCleaning),
          where: joinWithAnd([inRange(range), ...filters]),
          most: constant(MAX_PATHS),
        },
      ),
    )
    return toAnswer([toBands(found.rows)], [found])
  },
}

const toBands = (rows: readonly (readonly Json[])[]) =>
  Object.fromEntries(
    BANDS.map((band) => [
      band,
      rows.filter((row) => row[0] === band).map(([, path = null, value = null]) => ({ path, value })),
    ]),
  )

/** Up to where a value is good, and up to where it is fair. */
function readThresholds(reader: QueryReader): readonly [number, number] {
  const [good, fair, ...others] = reader.list("thresholds") ?? []
  if (typeof good === "number" && typeof fair === "number" && good <= fair && others.length === 0) return [good, fair]
  throw reader.fault("thresholds", "is required and must be two numbers, the lower one first")
}
