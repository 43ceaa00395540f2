import { type Expression, nodes, parseExpression, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { selectAnyOrderTimes, selectOrderedTimes } from "./attempt-times.js"
import { isByStep, listConditions, selectFunnelEvents, toAttributedValue, toGroupBy } from "./funnel-events.js"
import type { Exclusion, Funnel } from "./read-funnel.js"

const { alias, arithmetic, call, constant, field } = nodes

/** More than any time in microseconds, so that one number holds how many steps an attempt reached and when. */
const BEYOND_TIMES = 2 ** 52
/** How many steps an attempt with this score reached. */
export const toDepth = (worth: string): string => `intDiv(${worth}, ${BEYOND_TIMES})`

/**
 * One row per actor (and breakdown value) with every attempt: what `packed-paths.ts` cannot answer, which are steps in any
 * order, exclusions, long ranges, and the results of attempts other than the best. Every event may start an attempt, so each
 * column is a list with one item per event:
 *
 * - `started`: when its attempt started, in microseconds; 0 for an event that starts none
 * - `x0`, `x1`, …: when that attempt reached each step; 0 for never
 * - `worths`: the score of that attempt: more steps score higher, as many steps higher the sooner they were done; 0 for no
 *   attempt, for one that an exclusion ended, and for one that misses the step whose breakdown value counts
 *
 * With A → B and the events A at 1, A at 4 and B at 6: `started` and `x0` are `[1, 4, 0]`, `x1` is `[6, 6, 0]`, and both
 * attempts have the same score: two steps, done at 6. The lists are flat because ClickHouse handles nested ones several times
 * slower.
 */
export function selectAttempts(funnel: Funnel): Query {
  const { exclusions, order } = funnel
  const rows = selectActors(funnel)
  const steps = toStepNames(funnel)
  const names = [...steps, ...exclusions.map((_, index) => `e${index}`)]
  // What comes after the end of the window does not count, nor does an exclusion.
  const inTime = `if(b > 0 AND x <= b + ${funnel.windowSeconds}000000, x, 0)`
  const clipped = template(
    `SELECT actor, breakdown, started, ${names.map((name) => `arrayMap((x, b) -> ${inTime}, all_${name}, started) AS ${name}`).join(", ")}
     FROM {times}`,
    { times: order === "unordered" ? selectAnyOrderTimes(funnel, rows) : selectOrderedTimes(funnel, rows) },
  )
  const isKept = exclusions.map((exclusion, index) =>
    order === "unordered"
      ? `AND not (e${index} > 0 AND (least(${steps.join(", ")}) = 0 OR e${index} < greatest(${steps.join(", ")})))`
      : `AND not (${isEnded(exclusion, `e${index}`)})`,
  )
  // Attempts that do not come to the step whose value counts are of no value.
  if (isByStep(funnel)) isKept.push(`AND x${funnel.attributionStep} > 0`)
  const depth = steps.map((name) => `(${name} > 0)`).join(" + ")
  const worth = `(${depth}) * ${BEYOND_TIMES} + ${BEYOND_TIMES - 1} - greatest(${steps.join(", ")})`
  return template(
    `SELECT actor, breakdown, started, ${steps.join(", ")},
       arrayMap((b, ${names.join(", ")}) -> if(b > 0 ${isKept.join(" ")}, ${worth}, 0), started, ${names.join(", ")}) AS worths
     FROM {clipped}`,
    { clipped },
  )
}

/**
 * Rows `(actor, breakdown, depth, path)` of each actor's best attempt: how many steps it took, and their times. The best is the
 * one that came furthest; of several the one that was done soonest, then the one that started last.
 */
export function selectBestAttempts(funnel: Funnel): Query {
  const names = toStepNames(funnel)
  const chosen = template(
    `SELECT actor, breakdown, ${names.join(", ")}, arrayMax(worths) AS worth,
       length(worths) + 1 - indexOf(arrayReverse(worths), worth) AS place FROM {attempts}`,
    { attempts: selectAttempts(funnel) },
  )
  const times = names.map((name) => `${name}[place]`)
  return template(
    `SELECT actor, breakdown, ${toDepth("worth")} AS depth, arraySort(arrayFilter(t -> t > 0, [${times.join(", ")}])) AS path
     FROM {chosen} WHERE worth > 0`,
    { chosen },
  )
}

const toStepNames = ({ steps }: Funnel): string[] => steps.map((_, step) => `x${step}`)

/** Whether an excluded event came after the one step and before the other. */
const isEnded = ({ fromStep, toStep }: Exclusion, excluded: string): string =>
  `x${fromStep} > 0 AND ${excluded} > 0 AND (x${toStep} = 0 OR ${excluded} < x${toStep})`

/** Places at one microsecond: events of one moment are sorted by their lowest step, those of no step last. */
const PLACES = 64
/** Bits of a number that a time in microseconds leaves free. */
const FREE_BITS = 9

/**
 * One row per actor: `times`, of its events in microseconds and in order, and `masks`, for each the bits of the steps and
 * exclusions that it is. Events of one moment are ordered as in packed keys: by all their steps, the lowest first. With more
 * than `FREE_BITS` steps and exclusions there is no room for that in the sort key, and the lowest step alone decides.
 */
function selectActors(funnel: Funnel): Query {
  const wanted = listConditions(funnel)
  const addUp = (values: readonly Expression[]): Expression =>
    values.reduce((total, value) => arithmetic("+", total, value), constant(0))
  const mask = addUp(wanted.map((condition, bit) => call("if", [condition, constant(2 ** bit), constant(0)])))
  const hasRoom = wanted.length <= FREE_BITS
  const place = hasRoom
    ? addUp(
        wanted.map((condition, bit) => call("if", [condition, constant(0), constant(2 ** (wanted.length - 1 - bit))])),
      )
    : toLowestStep()
  const places = hasRoom ? 2 ** wanted.length : PLACES
  return template(
    `SELECT actor, {attributed} AS breakdown,
       groupArray(time * ${places} + place) AS keys,
       arrayMap(k -> intDiv(k, ${places}), arraySort(keys)) AS times,
       arraySort((m, k) -> k, groupArray(steps), keys) AS masks
     FROM {events} WHERE actor IS NOT NULL GROUP BY ${toGroupBy(funnel)}
     ${funnel.order === "unordered" ? "" : "HAVING countIf(bitTest(steps, 0)) > 0"}`,
    {
      events: selectFunnelEvents(funnel, [alias("steps", call("toInt64", [mask])), alias("place", place)]),
      attributed: toAttributedValue(funnel, call("bitTest", [field(["steps"]), constant(funnel.attributionStep)])),
    },
  )
}

const toLowestStep = (): Expression =>
  parseExpression(`if(steps = 0, ${PLACES - 1}, toInt(log2(bitAnd(steps, 0 - steps))))`)
