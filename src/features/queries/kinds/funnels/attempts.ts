import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { anyOrderTimes, orderedTimes } from "./attempt-times.js"
import { attributed, funnelEvents, groupedBy, wantedOf } from "./funnel-events.js"
import type { Funnel } from "./read-funnel.js"

const { alias, arithmetic, call, constant, field } = nodes

/** More microseconds than there have been: depth and time of an attempt in one number. */
const BEYOND_TIMES = 2 ** 52
/** The steps that an attempt of this worth reached. */
export const depthOf = (worth: string): string => `intDiv(${worth}, ${BEYOND_TIMES})`

/**
 * One row per actor (and breakdown value) with every attempt by itself: `begun`, the times in microseconds at which they began,
 * and `worths`, which order them by how far they came, then how soon that was done; 0 for those that an exclusion ends.
 * `x0`, `x1`, … are the times at which each reaches the steps, 0 for never; in any order the times of its events, of each
 * step by itself. All are flat arrays with one number per attempt: the engine moves lists of lists several times slower.
 */
export async function actorAttempts(funnel: Funnel): Promise<Query> {
  const { steps, exclusions, order } = funnel
  const rows = await actorRows(funnel)
  const times = order === "unordered" ? await anyOrderTimes(funnel, rows) : orderedTimes(funnel, rows)
  const names = steps.map((_, step) => `x${step}`)
  const ends = exclusions.map((_, index) => `e${index}`)
  const depth = names.map((name) => isInTime(name, funnel)).join(" + ")
  const done = `greatest(${names.map((name) => `if(${isInTime(name, funnel)}, ${name}, 0)`).join(", ")})`
  const isKept = exclusions.map((_, index) => `AND not (${isEnded(funnel, index)})`).join(" ")
  const lambda = (body: string): string =>
    `arrayMap((${["b", ...names, ...ends].join(", ")}) -> ${body}, begun, ${[...names, ...ends].join(", ")})`
  return template(
    `SELECT actor, breakdown, begun, ${names.join(", ")},
       ${lambda(`if(1 ${isKept}, (${depth}) * ${BEYOND_TIMES} + ${BEYOND_TIMES - 1} - ${done}, 0)`)} AS worths
     FROM {times}`,
    { times },
  )
}

/** One row per actor: `breakdown` and `path`, the times of the attempt that came furthest; of those the one soonest done, then latest begun. */
export async function bestOfAttempts(funnel: Funnel): Promise<Query> {
  const names = funnel.steps.map((_, step) => `x${step}`)
  const chosen = await template(
    `SELECT breakdown, arrayMax(worths) AS worth, length(worths) + 1 - indexOf(arrayReverse(worths), worth) AS place,
       begun[place] AS b, ${names.map((name, step) => `${name}[place] AS time${step}`).join(", ")}
     FROM {attempts}`,
    { attempts: await actorAttempts(funnel) },
  )
  const reached = names.map((_, step) => `if(${isInTime(`time${step}`, funnel)}, time${step}, 0)`).join(", ")
  return template(
    `SELECT breakdown, arraySort(arrayFilter(t -> t > 0, [${reached}])) AS path FROM {chosen} WHERE worth > 0`,
    {
      chosen,
    },
  )
}

/** Whether a time is one at which the attempt begun at `b` was still open. */
const isInTime = (time: string, { windowSeconds }: Funnel): string =>
  `(${time} > 0 AND ${time} <= b + ${windowSeconds}000000)`

/** Whether an excluded event came after the one step and before the other, or before the window's end. */
function isEnded(funnel: Funnel, index: number): string {
  const { fromStep, toStep } = funnel.exclusions[index] as { fromStep: number; toStep: number }
  return `${isInTime(`x${fromStep}`, funnel)} AND
    if(${isInTime(`x${toStep}`, funnel)}, e${index} > 0 AND e${index} < x${toStep}, ${isInTime(`e${index}`, funnel)})`
}

/** Events of one moment keep the order of their lowest steps, those of no step last: so many microseconds are one. */
const PLACES = 64

/** One row per actor: `times`, in microseconds and in order, and `masks`, the bits of the steps and exclusions of each. */
async function actorRows(funnel: Funnel): Promise<Query> {
  const bits = wantedOf(funnel).map((condition, bit) => call("if", [condition, constant(2 ** bit), constant(0)]))
  const mask = bits.reduce<Expression>((sum, bit) => arithmetic("+", sum, bit), constant(0))
  return template(
    `SELECT actor, {attributed} AS breakdown,
       groupArray(time * ${PLACES} + if(steps = 0, ${PLACES - 1}, toInt(log2(bitAnd(steps, 0 - steps))))) AS keys,
       arrayMap(k -> intDiv(k, ${PLACES}), arraySort(keys)) AS times,
       arraySort((m, k) -> k, groupArray(steps), keys) AS masks
     FROM {events} WHERE actor IS NOT NULL GROUP BY ${groupedBy(funnel)}
     ${funnel.order === "unordered" ? "" : "HAVING countIf(bitTest(steps, 0)) > 0"}`,
    {
      events: funnelEvents(funnel, [alias("steps", call("toInt64", [mask]))]),
      attributed: attributed(funnel, call("bitTest", [field(["steps"]), constant(funnel.attributionStep)])),
    },
  )
}
