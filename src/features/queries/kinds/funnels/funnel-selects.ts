import { nodes, type Query } from "../../../../hogql/index.js"
import { type Breakdown, otherValue } from "../../insights/breakdown.js"
import { toBucketKey } from "../../insights/buckets.js"
import { template } from "../../insights/template.js"
import { selectAttempts, selectBestAttempts, toDepth } from "./attempts.js"
import { isByStep } from "./funnel-events.js"
import { isPackable } from "./packed-keys.js"
import { selectPackedPaths } from "./packed-paths.js"
import type { Funnel } from "./read-funnel.js"

const { call, constant, field } = nodes

/** One row per actor: `breakdown` and `path`, the times at which its best attempt took the steps. */
function selectPaths(funnel: Funnel): Query {
  const isSimple = funnel.order !== "unordered" && funnel.exclusions.length === 0 && isPackable(funnel)
  const paths = isSimple ? withAttributedStep(selectPackedPaths(funnel), funnel) : selectBestAttempts(funnel)
  return funnel.breakdown === null ? paths : withTopValues(paths, funnel.breakdown)
}

/** Keeps paths that come to the step whose breakdown value counts. */
const withAttributedStep = (rows: Query, funnel: Funnel): Query =>
  isByStep(funnel)
    ? template(`SELECT breakdown, path FROM {rows} WHERE length(path) > ${funnel.attributionStep}`, { rows })
    : rows

/** Keeps the breakdown values with the most actors; the others become one. */
function withTopValues(rows: Query, breakdown: Breakdown): Query {
  return template(
    `SELECT if(place <= {limit}, value, {other}) AS breakdown, path
     FROM (
       SELECT value, path, dense_rank() OVER (ORDER BY actors DESC, value) AS place
       FROM (SELECT breakdown AS value, path, count() OVER (PARTITION BY breakdown) AS actors FROM {rows})
     )${breakdown.hidesOther ? " WHERE place <= {limit}" : ""}`,
    { rows, other: otherValue(breakdown), limit: constant(breakdown.limit) },
  )
}

/**
 * Rows `(breakdown, counts, averages, medians)`: lists with a value per step, the times in microseconds since the step before.
 * Steps at the end that nobody reached are missing. With an ARRAY JOIN instead, ClickHouse would plan all of the paths twice.
 */
export const selectSteps = (funnel: Funnel): Query =>
  template(
    `SELECT breakdown, countForEach(path), avgForEach(arrayDifference(path)), medianForEach(arrayDifference(path))
     FROM {paths} GROUP BY breakdown ORDER BY breakdown`,
    { paths: selectPaths(funnel) },
  )

function selectConversions(funnel: Funnel): Query {
  const { fromStep, toStep } = funnel
  return template(
    `SELECT (path[${toStep + 1}] - path[${fromStep + 1}]) / 1000000 AS seconds FROM {paths} WHERE length(path) > ${toStep}`,
    { paths: selectPaths({ ...funnel, breakdown: null }) },
  )
}

/** One row `(count, average, shortest, longest)` of conversions, in seconds. */
export const selectSpread = (funnel: Funnel): Query =>
  template("SELECT count(), avg(seconds), floor(min(seconds)), ceil(max(seconds)) FROM {conversions}", {
    conversions: selectConversions(funnel),
  })

/** Rows `(number of the bin, conversions)`. */
export const selectBins = (funnel: Funnel, shortest: number, binSeconds: number): Query =>
  template(
    "SELECT toInt(floor((seconds - {shortest}) / {binSeconds})) AS bin, count() FROM {conversions} GROUP BY bin ORDER BY bin",
    {
      conversions: selectConversions(funnel),
      shortest: constant(shortest),
      binSeconds: constant(binSeconds),
    },
  )

export const TREND_COLUMNS = ["bucket", "breakdown", "entered", "converted"]

/** Rows `(actor, breakdown, bucket in which attempts started, depth of the one that came furthest)`. */
export function selectEntrances(funnel: Funnel): Query {
  const started = call("toDateTime", [call("intDiv", [field(["started"]), constant(1_000_000)])])
  return template(
    `SELECT actor, breakdown, {bucket} AS bucket, max(reached) AS depth
     FROM (
       SELECT actor, breakdown, at AS started, ${toDepth("worth")} AS reached FROM {actors}
       ARRAY JOIN started AS at, worths AS worth WHERE worth > 0
     )
     GROUP BY actor, breakdown, bucket`,
    { actors: selectAttempts(funnel), bucket: toBucketKey(funnel.interval, started) },
  )
}

/**
 * Rows `(bucket in which the attempt started, breakdown, actors that came to the from-step, and to the to-step)`, of the values with
 * the most actors.
 */
export function selectTrend(funnel: Funnel): Query {
  const { fromStep, toStep, breakdown } = funnel
  const rows = template(
    `SELECT bucket, breakdown, countIf(depth > ${fromStep}) AS entered, countIf(depth > ${toStep}) AS converted
     FROM {entrances} GROUP BY bucket, breakdown`,
    { entrances: selectEntrances(funnel) },
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
