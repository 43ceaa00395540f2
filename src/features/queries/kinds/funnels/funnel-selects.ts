import { nodes, type Query } from "../../../../hogql/index.js"
import { type Breakdown, OTHER_BREAKDOWN } from "../../insights/breakdown.js"
import { bucketKey } from "../../insights/buckets.js"
import { template } from "../../insights/template.js"
import { actorAttempts, bestOfAttempts, depthOf } from "./attempts.js"
import { isPackable } from "./packed-keys.js"
import { packedPaths } from "./packed-paths.js"
import type { Funnel } from "./read-funnel.js"

const { array, call, constant, field } = nodes

/** One row per actor: `breakdown` and `path`, the times of its best attempt. */
async function bestAttempts(funnel: Funnel): Promise<Query> {
  const isSimple = funnel.order !== "unordered" && funnel.exclusions.length === 0 && isPackable(funnel)
  const paths = isSimple ? await packedPaths(funnel) : await bestOfAttempts(funnel)
  return funnel.breakdown === null ? paths : withTopValues(paths, funnel.breakdown)
}

/** Keeps the breakdown values with the most actors; the others become one. */
function withTopValues(rows: Query, breakdown: Breakdown): Promise<Query> {
  const other = breakdown.isMultiple ? array([constant(OTHER_BREAKDOWN)]) : constant(OTHER_BREAKDOWN)
  return template(
    `SELECT if(place <= {limit}, value, {other}) AS breakdown, path
     FROM (
       SELECT value, path, dense_rank() OVER (ORDER BY actors DESC, value) AS place
       FROM (SELECT breakdown AS value, path, count() OVER (PARTITION BY breakdown) AS actors FROM {rows})
     )${breakdown.hidesOther ? " WHERE place <= {limit}" : ""}`,
    { rows, other, limit: constant(breakdown.limit) },
  )
}

/**
 * Rows `(breakdown, counts, average and median microseconds since the step before)`, each of the three a list with a value per step,
 * steps at the end that nobody reached left out. An ARRAY JOIN instead would have the engine analyse all of the paths twice.
 */
export const stepsSelect = async (funnel: Funnel): Promise<Query> =>
  template(
    `SELECT breakdown, countForEach(path), avgForEach(arrayDifference(path)), medianForEach(arrayDifference(path))
     FROM {paths} GROUP BY breakdown ORDER BY breakdown`,
    { paths: await bestAttempts(funnel) },
  )

async function conversions(funnel: Funnel): Promise<Query> {
  const { fromStep, toStep } = funnel
  return template(
    `SELECT (path[${toStep + 1}] - path[${fromStep + 1}]) / 1000000 AS seconds FROM {paths} WHERE length(path) > ${toStep}`,
    { paths: await bestAttempts({ ...funnel, breakdown: null }) },
  )
}

/** One row `(count, average, shortest, longest)` of conversions, in seconds. */
export const conversionSpread = async (funnel: Funnel): Promise<Query> =>
  template("SELECT count(), avg(seconds), floor(min(seconds)), ceil(max(seconds)) FROM {conversions}", {
    conversions: await conversions(funnel),
  })

/** Rows `(number of the bin, conversions)`. */
export const conversionBins = async (funnel: Funnel, shortest: number, binSeconds: number): Promise<Query> =>
  template(
    "SELECT toInt(floor((seconds - {shortest}) / {binSeconds})) AS bin, count() FROM {conversions} GROUP BY bin ORDER BY bin",
    {
      conversions: await conversions(funnel),
      shortest: constant(shortest),
      binSeconds: constant(binSeconds),
    },
  )

export const TREND_COLUMNS = ["bucket", "breakdown", "entered", "converted"]

/**
 * Rows `(bucket of the attempt's begin, breakdown, actors that came to the from-step, and to the to-step)`, of the values with
 * the most actors.
 */
export async function conversionTrend(funnel: Funnel): Promise<Query> {
  const { fromStep, toStep, interval, breakdown } = funnel
  const begun = call("toDateTime", [call("intDiv", [field(["begun"]), constant(1_000_000)])])
  const rows = await template(
    `SELECT bucket, breakdown, countIf(depth > ${fromStep}) AS entered, countIf(depth > ${toStep}) AS converted
     FROM (
       SELECT actor, breakdown, {bucket} AS bucket, max(reached) AS depth
       FROM (
         SELECT actor, breakdown, at AS begun, ${depthOf("worth")} AS reached FROM {actors}
         ARRAY JOIN begun AS at, worths AS worth WHERE worth > 0
       )
       GROUP BY actor, breakdown, bucket
     )
     GROUP BY bucket, breakdown`,
    { actors: await actorAttempts(funnel), bucket: bucketKey(interval, begun) },
  )
  if (breakdown === null) return rows
  return template(
    `SELECT bucket, breakdown, entered, converted
     FROM (
       SELECT bucket, breakdown, entered, converted, dense_rank() OVER (ORDER BY total DESC, breakdown) AS place
       FROM (SELECT bucket, breakdown, entered, converted, sum(entered) OVER (PARTITION BY breakdown) AS total FROM {rows})
     )
     WHERE place <= {limit}`,
    { rows, limit: constant(breakdown.limit) },
  )
}
