import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { sum } from "../../insights/sums.js"
import { template } from "../../insights/template.js"
import { isByStep, listStepNames, selectFunnelEvents, toAttributedValue, toGroupBy } from "./funnel-events.js"
import type { Funnel } from "./read-funnel.js"

const { alias, arithmetic, array, call, constant, field } = nodes

/** Bits of a signed 64-bit number that a key may use. */
const KEY_BITS = 62

/** Microseconds that the events of a funnel lie apart at most. */
const spanMicros = ({ range }: Funnel): number => (range.toMs - range.fromMs + 1) * 1000

/** The conversion window in microseconds; never more than the funnel's events can lie apart. */
export const packedWindow = (funnel: Funnel): number => Math.min(funnel.windowSeconds * 1e6, spanMicros(funnel))

/**
 * How many bits of a key lie below its time: one per step and a free one, so that the difference of two keys shows which of
 * two times differ by more than a window, whatever their low bits are.
 */
export const timeShift = ({ steps }: Funnel): number => steps.length + 1

/** Whether a time of the funnel's range and the bits below it fit into one number. */
export const isPackable = (funnel: Funnel): boolean => Math.log2(spanMicros(funnel)) + timeShift(funnel) < KEY_BITS

/** The bit of a step in a key; 0 there means that the event is of the step. */
export const toBit = (step: number, { steps }: Funnel): number => steps.length - 1 - step

/**
 * One row per actor with an event of the first step: `breakdown`, and `k0`, a 0 followed by the sorted keys of its events.
 *
 * A key is one number for when an event happened and which steps it is: the time in microseconds since just before the range,
 * a free bit, and a bit per step, the first step highest, which is 0 where the event *is* of that step. With A → B → C an
 * event B at 7 µs has the key `111 0 101` in binary: time 7, free bit, A no, B yes, C no. Sorted keys are sorted by time, and
 * at the same time by the lowest step: A (011), B (101), C (110), then events of no step (111).
 */
export function selectPackedKeys(funnel: Funnel): Query {
  const { range, attributionStep } = funnel
  const code = toCode(funnel)
  const isStep = (step: number) => nodes.not(call("bitTest", [field(["code"]), constant(toBit(step, funnel))]))
  return template(
    `SELECT {attributed} AS breakdown, arrayPushFront(arraySort(groupArray(bitShiftLeft(time - {origin}, {shift}) + code)), 0) AS k0
     FROM {events} WHERE actor IS NOT NULL GROUP BY ${toGroupBy(funnel)} HAVING countIf({isFirst}) > 0 AND countIf({isAttributed}) > 0`,
    {
      events: selectFunnelEvents(funnel, [alias("code", code)]),
      attributed: toAttributedValue(funnel, isStep(attributionStep)),
      origin: constant(range.fromMs * 1000 - 1),
      shift: constant(timeShift(funnel)),
      isFirst: isStep(0),
      isAttributed: isStep(isByStep(funnel) ? attributionStep : 0),
    },
  )
}

/** The step bits of an event; looked up by its name where steps differ by nothing else. */
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
