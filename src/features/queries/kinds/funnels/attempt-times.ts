import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import type { Funnel } from "./read-funnel.js"

const { alias, call, compare, constant, field, lambda, select, source } = nodes

const name = (text: string): Expression => field([text])
const zero = constant(0)
const positive = (text: string): Expression => compare(">", name(text), zero)
/** Shifts values by one, so that each event has that of the event after it. */
const following = (values: Expression): Expression => call("arrayPushBack", [call("arrayPopFront", [values]), zero])

/** Values at the events of a step (or an exclusion), by its bit, 0 at the others. */
const atBit = (bit: number, values: Expression): Expression =>
  call("arrayMap", [
    lambda(["m", "x"], call("if", [call("bitTest", [name("m"), constant(bit)]), name("x"), zero])),
    name("masks"),
    values,
  ])

/**
 * For steps in order: when the attempt that each event starts reaches the steps, from an actor's `times` and `masks`. Columns
 * `started`, `all_x0`, `all_x1`, …, and `all_e0`, … for the next excluded event after an exclusion's from-step; 0 for none.
 *
 * Calculated from the last step backwards. `t<step>_<later>` says for each event of `step` when an attempt that goes on from
 * it reaches `later`, and is made of `t<step + 1>_<later>` at the next event of step + 1. With A → B → C:
 *
 *     event            A1  B2  A3  B4  C5
 *     t1_2 (B to C)     0   5   0   5   0
 *     t0_1 (A to B)     2   0   4   0   0
 *     t0_2 (A to C)     5   0   5   0   0     t1_2 at B2, and at B4
 *
 * Built from nodes, because parsing so long a text takes longer than making them.
 */
export function selectOrderedTimes({ steps, order, exclusions }: Funnel, rows: Query): Query {
  /** The value of the next event of `step`; in strict order only if that is the very next event. */
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
 * For steps in any order, where every event may start an attempt: `started`, its own time, `all_x0`, …, when each
 * step comes next from it on, and `all_e0`, …, when each excluded event comes after it; 0 for never. Two steps with
 * the same definition need two events of it.
 */
export function selectAnyOrderTimes({ steps, sameAs, exclusions }: Funnel, rows: Query): Query {
  const columns = steps.map((_, step) => {
    const same = sameAs[step] ?? step
    const before = sameAs.lastIndexOf(same, step - 1)
    const isStep = `bitTest(m, ${same})`
    const next = step === same ? "times" : `arrayPushBack(arrayPopFront(all_x${before}), 0)`
    return `arrayReverseFill(x -> x > 0, arrayMap((m, x) -> if(${isStep}, x, 0), masks, ${next})) AS all_x${step}`
  })
  // Excluded events start nothing, and end what has started before them.
  const excluded = exclusions.map((_, index) => {
    const next = `arrayMap((m, x) -> if(bitTest(m, ${steps.length + index}), x, 0), masks, times)`
    return `arrayPushBack(arrayPopFront(arrayReverseFill(x -> x > 0, ${next})), 0) AS all_e${index}`
  })
  const started = `arrayMap((m, x) -> if(bitAnd(m, ${2 ** steps.length - 1}) = 0, 0, x), masks, times)`
  return template(
    `SELECT actor, breakdown, ${exclusions.length === 0 ? "times" : started} AS started,
       ${[...columns, ...excluded].join(", ")}
     FROM {rows}`,
    { rows },
  )
}
