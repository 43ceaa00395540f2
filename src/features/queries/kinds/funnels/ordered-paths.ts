import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import type { Funnel } from "./read-funnel.js"

const { alias, array, call, compare, constant, field, select, source } = nodes

const name = (text: string): Expression => field([text])
const zero = constant(0)
const positive = (text: string): Expression => compare(">", name(text), zero)
const lambda = (args: readonly string[], body: Expression): Expression => ({
  ...{ kind: "lambda", at: { start: 0, end: 0 } },
  ...{ args, body },
})
/** The values one place on: each event sees that of the event after it. */
const following = (values: Expression): Expression => call("arrayPushBack", [call("arrayPopFront", [values]), zero])

/** Values at the events of a step (or an exclusion), by its bit, 0 at the others. */
const atBit = (bit: number, values: Expression): Expression =>
  call("arrayMap", [
    lambda(["m", "x"], call("if", [call("bitTest", [name("m"), constant(bit)]), name("x"), zero])),
    name("masks"),
    values,
  ])

/** Values of attempts only: of the events of the first step. */
const ofStarts = (values: string): Expression =>
  call("arrayFilter", [lambda(["x", "v"], positive("v")), name(values), name("t0_0")])

/**
 * Adds to each actor's `times` and `masks` its `paths`, one per event of the first step, and as `excluded…` for each path the next
 * excluded event after its from-step, 0 for none.
 *
 * `t<step>_<later>` is the time at which an attempt that goes on from an event of `step` reaches `later`, 0 for events that
 * are not of that step: flat numbers, as the engine moves lists of lists several times slower. Built from nodes, as
 * reading so long a text takes seconds.
 */
export function orderedPaths({ steps, order, exclusions }: Funnel, rows: Query): Query {
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
    columns.push(alias(`e${index}_${fromStep}`, atBit(fromStep, following(next))))
    for (let step = fromStep - 1; step >= 0; step--)
      columns.push(alias(`e${index}_${step}`, atBit(step, after(`e${index}_${step + 1}`, step + 1))))
    columns.push(alias(`excluded${index}`, ofStarts(`e${index}_0`)))
  })
  const reached = steps.map((_, step) => `x${step}`)
  const path = call("arrayFilter", [lambda(["x"], positive("x")), array(reached.map(name))])
  const times = steps.map((_, step) => ofStarts(`t0_${step}`))
  columns.push(alias("paths", call("arrayMap", [lambda(reached, path), ...times])))
  return select({ columns: [name("actor"), name("breakdown"), ...columns], from: [source(rows)] })
}
