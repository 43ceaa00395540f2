import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import type { Funnel } from "./read-funnel.js"

const { alias, call, compare, constant, field, lambda, select, source } = nodes

const name = (text: string): Expression => field([text])
const zero = constant(0)
const positive = (text: string): Expression => compare(">", name(text), zero)
/** The values one place on: each event sees that of the event after it. */
const following = (values: Expression): Expression => call("arrayPushBack", [call("arrayPopFront", [values]), zero])

/** Values at the events of a step (or an exclusion), by its bit, 0 at the others. */
const atBit = (bit: number, values: Expression): Expression =>
  call("arrayMap", [
    lambda(["m", "x"], call("if", [call("bitTest", [name("m"), constant(bit)]), name("x"), zero])),
    name("masks"),
    values,
  ])

/**
 * What each event begins when steps are taken in order: `started`, the time of an event of the first step, `all_x0`, `all_x1`, …
 * the times at which the attempt reaches the steps, and `all_e0`, … the next excluded event after the attempt's from-step; 0 for
 * none. From the actor's `times` and `masks`.
 *
 * `t<step>_<later>` is the time at which an attempt that goes on from an event of `step` reaches `later`, 0 for events that
 * are not of that step. Built from nodes, as reading so long a text takes longer than making it.
 */
export function selectOrderedTimes({ steps, order, exclusions }: Funnel, rows: Query): Query {
  /** What the next event of `step` has; in strict order only the very next event. */
  const after = (values: string, step: number): Expression =>
    order === "strict"
      ? following(name(values))
      : following(call("arrayReverseFill", [lambda(["x", "v"], positive("v")), name(values), name(`t${step}_${step}`)]))
  const columns: Expression[] = []
  for (let step = steps.length - 1; step >= 0; step--) {
    columns.push(alias(`t${step}_${step}`, atBit(step, name("times"))))
    for (let later = step + 1; later < steps.length; later++)
      columns.push(alias(`t${step}_${later}`, atBit(step, after(`t${step + 1}_${later}`, step + 1))))
  }
  exclusions.forEach(({ fromStep }, index) => {
    const times = atBit(steps.length + index, name("times"))
    const next = call("arrayReverseFill", [lambda(["x"], positive("x")), times])
    columns.push(alias(`n${index}_${fromStep}`, atBit(fromStep, following(next))))
    for (let step = fromStep - 1; step >= 0; step--)
      columns.push(alias(`n${index}_${step}`, atBit(step, after(`n${index}_${step + 1}`, step + 1))))
    columns.push(alias(`all_e${index}`, name(`n${index}_0`)))
  })
  columns.push(alias("started", name("t0_0")), ...steps.map((_, step) => alias(`all_x${step}`, name(`t0_${step}`))))
  return select({ columns: [name("actor"), name("breakdown"), ...columns], from: [source(rows)] })
}

/**
 * What each event begins when steps are taken in any order: `started`, its own time, and `all_x0`, … the times at which the actor is
 * next at each step from it on, as many of one definition as there are steps of it; 0 for none.
 */
export function selectAnyOrderTimes({ steps, sameAs }: Funnel, rows: Query): Query {
  const columns = steps.map((_, step) => {
    const same = sameAs[step] ?? step
    const before = sameAs.lastIndexOf(same, step - 1)
    const isStep = `bitTest(m, ${same})`
    const next = step === same ? "times" : `arrayPushBack(arrayPopFront(all_x${before}), 0)`
    return `arrayReverseFill(x -> x > 0, arrayMap((m, x) -> if(${isStep}, x, 0), masks, ${next})) AS all_x${step}`
  })
  return template(`SELECT actor, breakdown, times AS started, ${columns.join(", ")} FROM {rows}`, { rows })
}
