import { type Expression, nodes, parseExpression, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { selectAnyOrderTimes, selectOrderedTimes } from "./attempt-times.js"
import { listConditions, selectFunnelEvents, toAttributedValue, toGroupBy } from "./funnel-events.js"
import type { Exclusion, Funnel } from "./read-funnel.js"

const { alias, arithmetic, call, constant, field } = nodes

/** More microseconds than there have been: depth and time of an attempt in one number. */
const BEYOND_TIMES = 2 ** 52
/** The steps that an attempt of this worth reached. */
export const toDepth = (worth: string): string => `intDiv(${worth}, ${BEYOND_TIMES})`

/**
 * One row per actor (and breakdown value) with every attempt by itself: `started`, the times in microseconds at which they started,
 * 0 for events that start none; `worths`, which order them by how far they came, then how soon that was done, 0 for none and for
 * those that an exclusion ends; and `x0`, `x1`, … the times at which each reached the steps, 0 for never (in any order those of
 * its events of each step). All are flat arrays: the engine moves lists of lists several times slower.
 */
export function selectAttempts(funnel: Funnel): Query {
  const { exclusions, order } = funnel
  const rows = selectActors(funnel)
  const steps = toStepNames(funnel)
  const names = [...steps, ...exclusions.map((_, index) => `e${index}`)]
  // Whatever comes after the window's end does not count, exclusions neither.
  const inTime = `if(b > 0 AND x <= b + ${funnel.windowSeconds}000000, x, 0)`
  const clipped = template(
    `SELECT actor, breakdown, started, ${names.map((name) => `arrayMap((x, b) -> ${inTime}, all_${name}, started) AS ${name}`).join(", ")}
     FROM {times}`,
    { times: order === "unordered" ? selectAnyOrderTimes(funnel, rows) : selectOrderedTimes(funnel, rows) },
  )
  const isKept = exclusions.map((exclusion, index) => `AND not (${isEnded(exclusion, `e${index}`)})`).join(" ")
  const depth = steps.map((name) => `(${name} > 0)`).join(" + ")
  const worth = `(${depth}) * ${BEYOND_TIMES} + ${BEYOND_TIMES - 1} - greatest(${steps.join(", ")})`
  return template(
    `SELECT actor, breakdown, started, ${steps.join(", ")},
       arrayMap((b, ${names.join(", ")}) -> if(b > 0 ${isKept}, ${worth}, 0), started, ${names.join(", ")}) AS worths
     FROM {clipped}`,
    { clipped },
  )
}

/**
 * Rows `(actor, breakdown, depth, path)`: how many steps the attempt took that came furthest, and their times; of those the one
 * soonest done, then latest started.
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

/** Events of one moment keep the order of their lowest steps, those of no step last: so many microseconds are one. */
const PLACES = 64
/** Bits that the times of the engine leave in a number. */
const FREE_BITS = 9

/**
 * One row per actor: `times`, in microseconds and in order, and `masks`, the bits of the steps and exclusions of each. Of several
 * events of one moment with the same lowest step, the one of most of the early steps is first, as it is in packed keys; where so
 * many steps and exclusions leave no room for that, the lowest step alone decides.
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
