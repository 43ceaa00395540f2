import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { breakdownCondition } from "../../insights/breakdown-condition.js"
import { listBuckets } from "../../insights/buckets.js"
import { readInstant } from "../../insights/date-range.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import type { RunScope } from "../../queries.types.js"
import { selectAttempts, toDepth } from "../funnels/attempts.js"
import { selectEntrances } from "../funnels/funnel-selects.js"
import { leadTo } from "../funnels/optional-steps.js"
import { type Funnel, readFunnel } from "../funnels/read-funnel.js"
import { type PointActors, readPeriod, refuseGroups } from "./point-actors.js"

const { array, call, compare, constant, field } = nodes

/**
 * The persons of a funnel: those who came to step `funnelStep`, counted from 1; for `-n` those who came to step n - 1 and no
 * further; with `funnelCustomSteps` those who came to one of these steps and no further. Behind a point of a trend they are
 * named by `funnelTrendsEntrancePeriodStart`.
 */
export const funnelActors: PointActors = async (reader, source, context) => {
  refuseGroups(source)
  const asked = await readFunnel(source, context)
  const funnel = { ...asked, range: readPeriod(reader, [asked.range, asked.previous]) }
  const ofBreakdown = breakdownCondition(reader, "funnelStepBreakdown", funnel.breakdown, field(["breakdown"]))
  const started = reader.text("funnelTrendsEntrancePeriodStart")
  if (started !== null) return selectEntered(funnel, started, ofBreakdown, reader, context.run)
  if (reader.value("funnelTrendsDropOff") !== null)
    throw reader.fault("funnelTrendsDropOff", "needs funnelTrendsEntrancePeriodStart")
  if (funnel.optional.length > 0) return selectAtStep(reader, funnel)
  return template(
    `SELECT actor AS actor_id, max(reached) AS depth, max(reached) AS event_count
     FROM (
       SELECT actor, breakdown, arrayMax(worths) AS worth, ${toDepth("worth")} AS reached
       FROM {attempts} WHERE worth > 0 AND {ofBreakdown}
     )
     GROUP BY actor_id HAVING {depth}`,
    {
      attempts: selectAttempts(funnel),
      depth: readDepth(reader, funnel.steps.length),
      ofBreakdown: ofBreakdown ?? constant(true),
    },
  )
}

/** Those who came to a step of a funnel in which some may be left out. */
function selectAtStep(reader: QueryReader, funnel: Funnel): Query {
  const step = reader.integer("funnelStep", { min: 1, max: funnel.steps.length })
  if (step === null || reader.value("funnelCustomSteps") !== null)
    throw reader.fault("funnelStep", "is required in a funnel with optional steps, and no other name of steps")
  const way = leadTo(funnel, step - 1)
  return template(
    `SELECT actor AS actor_id, max(${toDepth("arrayMax(worths)")}) AS event_count FROM {attempts}
     GROUP BY actor_id HAVING event_count = {depth}`,
    { attempts: selectAttempts(way), depth: constant(way.steps.length) },
  )
}

/** How many steps the persons came through. */
function readDepth(reader: QueryReader, last: number): Expression {
  const depth = field(["depth"])
  const custom = reader.list("funnelCustomSteps", { max: last })
  if (custom !== null && custom.length > 0) {
    const isStep = (step: unknown): step is number =>
      Number.isInteger(step) && Number(step) >= 1 && Number(step) <= last
    if (!custom.every(isStep)) throw reader.fault("funnelCustomSteps", `must hold numbers of steps, 1 to ${last}`)
    if (reader.value("funnelStep") !== null) throw reader.fault("funnelStep", "cannot be used with funnelCustomSteps")
    return call("has", [array(custom.map((step) => constant(step))), depth])
  }
  const step = reader.integer("funnelStep", { min: -last, max: last })
  if (step === null || step === 0 || step === -1)
    throw reader.fault("funnelStep", `must be 1 to ${last}, or -2 to -${last} for those who left before that step`)
  return step > 0 ? compare(">=", depth, constant(step)) : compare("==", depth, constant(-step - 1))
}

/** Those who began in one interval of a trend and came through, or with `funnelTrendsDropOff` those who did not. */
function selectEntered(
  funnel: Funnel,
  started: string,
  ofBreakdown: Expression | null,
  reader: QueryReader,
  run: RunScope,
): Query {
  const { fromStep, toStep, range, interval } = funnel
  if (funnel.view !== "trends")
    throw reader.fault("funnelTrendsEntrancePeriodStart", "needs funnelVizType trends in the funnel")
  for (const option of ["funnelStep", "funnelCustomSteps"])
    if (reader.value(option) !== null) throw reader.fault(option, "cannot be used with funnelTrendsEntrancePeriodStart")
  const atMs = readInstant(started, run)
  const bucket = listBuckets(range, interval, run).find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs)
  if (bucket === undefined) throw reader.fault("funnelTrendsEntrancePeriodStart", "must lie in the insight's dates")
  const depth = field(["depth"])
  const reached = reader.flag("funnelTrendsDropOff")
    ? joinWithAnd([compare(">", depth, constant(fromStep)), compare("<=", depth, constant(toStep))])
    : compare(">", depth, constant(toStep))
  return template(
    `SELECT actor AS actor_id, max(depth) AS event_count FROM {entrances}
     WHERE toString(bucket) = {key} AND {reached} AND {ofBreakdown} GROUP BY actor_id`,
    {
      entrances: selectEntrances(funnel),
      key: constant(String(bucket.key)),
      reached,
      ofBreakdown: ofBreakdown ?? constant(true),
    },
  )
}
