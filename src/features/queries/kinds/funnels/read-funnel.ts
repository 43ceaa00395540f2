import { type Expression, type HogqlScope, nodes, parseExpression } from "../../../../hogql/index.js"
import { readBreakdown } from "../../insights/breakdown.js"
import { isOfFirstTimes, toFirstOnes } from "../../insights/math.js"
import { joinWithAnd, queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { checkSampling } from "../../insights/refusals.js"
import { readActor, readSeries, type Series } from "../../insights/series.js"
import { template } from "../../insights/template.js"
import type { KindContext } from "../kind-context.js"
import { readComparedRange, readInterval, readRange } from "../read-dates.js"

const { compare, field, tuple } = nodes

const FUNNEL_ORDERS = ["ordered", "strict", "unordered"] as const
export type FunnelOrder = (typeof FUNNEL_ORDERS)[number]
const VIEWS = ["steps", "time_to_convert", "trends"] as const
const ATTRIBUTIONS = ["first_touch", "last_touch", "all_events", "step"] as const

/** An event that must not come between two steps, counted from 0. */
export interface Exclusion {
  readonly condition: Expression
  readonly fromStep: number
  readonly toStep: number
}

const MIN_STEPS = 2
const MAX_STEPS = 20
const MAX_EXCLUSIONS = 10
const UNIT_SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const
const UNITS = ["second", "minute", "hour", "day", "week", "month"] as const

/** A `FunnelsQuery`, read. */
export type Funnel = Awaited<ReturnType<typeof readFunnel>>

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readFunnel(reader: QueryReader, context: KindContext) {
  const items = reader.objects("series", { max: MAX_STEPS })
  if (items.length < MIN_STEPS) throw reader.fault("series", `must have at least ${MIN_STEPS} steps`)
  checkSampling(reader)
  const filter = reader.object("funnelsFilter")
  const order = filter.choice("funnelOrderType", FUNNEL_ORDERS, "ordered")
  const view = filter.choice("funnelVizType", VIEWS, "steps")
  const unit = filter.choice("funnelWindowIntervalUnit", UNITS, "day")
  const last = items.length - 1
  const interval = readInterval(reader)
  const definitions = items.map((item) =>
    JSON.stringify(["kind", "id", "event", "properties", "fixedProperties", "math"].map((name) => item.value(name))),
  )
  const scope = await context.hogqlScope()
  const fromStep = filter.integer("funnelFromStep", { min: 0, max: last - 1 }) ?? 0
  const attribution = filter.choice("breakdownAttributionType", ATTRIBUTIONS, "first_touch")
  const breakdown = await readBreakdown(reader, context.run.pathCleaning ?? [])
  const range = await readRange(reader, view === "trends" ? interval : null, context)
  const previous = readComparedRange(reader, range, context)
  if (previous !== null && view === "time_to_convert")
    throw reader.fault("compareFilter", "is not supported for time_to_convert")
  const conditions = queryConditions(reader, scope)
  const optional = readOptionalSteps(items)
  if (optional.length > 0) {
    const isPlain = order === "ordered" && view === "steps" && breakdown === null && filter.value("exclusions") === null
    if (!isPlain)
      throw reader.fault("series", "can have optional steps only in order, without breakdown and exclusions")
  }
  return {
    /** The numbers of steps that may be left out. */
    optional,
    steps: items.map((item, index) => readStep(item, index, scope, conditions)),
    /** For each step the first one with the same definition; unordered funnels want as many events of it. */
    sameAs: definitions.map((definition) => definitions.indexOf(definition)),
    order,
    view,
    windowSeconds: (filter.integer("funnelWindowInterval", { min: 1, max: 10_000 }) ?? 14) * UNIT_SECONDS[unit],
    exclusions: readExclusions(filter, order, last, scope),
    breakdown,
    // Cohorts are no matter of single events: each has a funnel of its members.
    attribution: breakdown?.list == null ? attribution : "all_events",
    attributionStep: filter.integer("breakdownAttributionValue", { min: 0, max: last }) ?? 0,
    actor: readActorOrValue(reader, filter),
    conditions,
    range,
    /** The dates beside which the funnel is shown; null without a comparison. */
    previous,
    interval,
    /** Steps, from 0, between which conversion is measured in `time_to_convert` and `trends`. */
    fromStep,
    toStep: filter.integer("funnelToStep", { min: fromStep + 1, max: last }) ?? last,
    binCount: filter.integer("binCount", { min: 1, max: 90 }),
  }
}

function readOptionalSteps(items: readonly QueryReader[]): number[] {
  return items.flatMap((item, step) => {
    if (!item.flag("optionalInFunnel")) return []
    if (step === 0 || step === items.length - 1)
      throw item.fault("optionalInFunnel", "cannot be true of the first and the last step")
    return [step]
  })
}

/** For what needs one way through all steps. @throws AppError parse_error for a funnel with optional steps. */
export function refuseOptionalSteps(source: QueryReader, { optional }: Funnel): void {
  if (optional.length > 0) throw source.fault("series", "cannot have optional steps here")
}

/** A step; with math of first times only the event that is the actor's first one is of the step. */
function readStep(item: QueryReader, index: number, scope: HogqlScope, conditions: readonly Expression[]): Series {
  const step = readSeries(item, index, scope)
  if (!isOfFirstTimes(step)) return step
  const firsts = template("SELECT person_id, min(timestamp) FROM events WHERE {named} GROUP BY person_id", {
    named: toFirstOnes(step, joinWithAnd([step.condition, ...conditions])),
  })
  const isFirst = compare("in", tuple([field(["person_id"]), field(["timestamp"])]), firsts)
  return { ...step, condition: joinWithAnd([step.condition, isFirst]) }
}

function readExclusions(filter: QueryReader, order: FunnelOrder, last: number, scope: HogqlScope): Exclusion[] {
  return filter.objects("exclusions", { max: MAX_EXCLUSIONS }).map((item, index) => {
    const { condition } = readSeries(item, index, scope)
    const fromStep = item.integer("funnelFromStep", { min: 0, max: last - 1 }) ?? 0
    const toStep = item.integer("funnelToStep", { min: fromStep + 1, max: last }) ?? last
    if (order === "unordered" && (fromStep !== 0 || toStep !== last))
      throw item.fault("funnelFromStep", "cannot be chosen when steps may come in any order: exclusions hold for all")
    return { condition, fromStep, toStep }
  })
}

/** What goes through the funnel: persons, groups of a type, or the values of an expression. */
function readActorOrValue(reader: QueryReader, filter: QueryReader): Expression {
  const { actor, isPerson } = readActor(reader)
  const written = filter.text("funnelAggregateByHogQL")
  return isPerson && written ? parseExpression(written) : actor
}
