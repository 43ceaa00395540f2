import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { sum } from "../../insights/sums.js"
import { template } from "../../insights/template.js"
import { listStepNames, selectFunnelEvents, toAttributedValue, toGroupBy } from "./funnel-events.js"
import type { Funnel } from "./read-funnel.js"

const { alias, arithmetic, array, call, constant, field } = nodes

/** Bits of a signed number of the engine that a key may use. */
const KEY_BITS = 62

/** Microseconds that the events of a funnel lie apart at most. */
const spanMicros = ({ range }: Funnel): number => (range.toMs - range.fromMs + 1) * 1000

/** The conversion window in microseconds; never more than the funnel's events can lie apart. */
export const packedWindow = (funnel: Funnel): number => Math.min(funnel.windowSeconds * 1e6, spanMicros(funnel))

/** How far the time of a key is shifted: a bit per step, and a free one over them so that differences of keys tell those of times. */
export const timeShift = ({ steps }: Funnel): number => steps.length + 1

/** Whether a time of the funnel's range and the bits below it fit into one number. */
export const isPackable = (funnel: Funnel): boolean => Math.log2(spanMicros(funnel)) + timeShift(funnel) < KEY_BITS

/** The bit of a step in a key; 0 there means that the event is of the step. */
export const toBit = (step: number, { steps }: Funnel): number => steps.length - 1 - step

/**
 * One row per actor with an event of the first step: `breakdown`, and `k0`, a sorted number per event after a 0. Its low bits
 * hold one bit for each step, the first one highest, 0 where the event is of that step, under a bit that is 0; the rest is the
 * time in microseconds from a moment before the range. So events of one moment keep the order of their lowest steps, those of
 * no step last.
 */
export function selectPackedKeys(funnel: Funnel): Query {
  const { range, attributionStep } = funnel
  const code = toCode(funnel)
  const isStep = (step: number) => nodes.not(call("bitTest", [field(["code"]), constant(toBit(step, funnel))]))
  return template(
    `SELECT {attributed} AS breakdown, arrayPushFront(arraySort(groupArray(bitShiftLeft(time - {origin}, {shift}) + code)), 0) AS k0
     FROM {events} WHERE actor IS NOT NULL GROUP BY ${toGroupBy(funnel)} HAVING countIf({isFirst}) > 0`,
    {
      events: selectFunnelEvents(funnel, [alias("code", code)]),
      attributed: toAttributedValue(funnel, isStep(attributionStep)),
      origin: constant(range.fromMs * 1000 - 1),
      shift: constant(timeShift(funnel)),
      isFirst: isStep(0),
    },
  )
}

/** The bits of an event: by a look-up of its name where steps are told apart by nothing else. */
function toCode(funnel: Funnel): Expression {
  const { steps } = funnel
  const bits = steps.map((_, step) => 2 ** toBit(step, funnel))
  const names = listStepNames(funnel)
  if (names === null) {
    const unlike = steps.map(({ condition }, step) =>
      call("if", [condition, constant(0), constant(2 ** toBit(step, funnel))]),
    )
    return unlike.reduce<Expression>((total, bit) => arithmetic("+", total, bit), constant(0))
  }
  const codes = names.map((name) => sum(bits.filter((_, step) => steps[step]?.event !== name)))
  const list = (values: readonly (string | number)[]) => array(values.map((value) => constant(value)))
  return call("transform", [field(["event"]), list(names), list(codes), constant(sum(bits))])
}
