import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { attributed, funnelEvents, groupedBy, wantedOf } from "./funnel-events.js"
import { orderedPaths } from "./ordered-paths.js"
import type { Funnel } from "./read-funnel.js"

const { alias, arithmetic, call, constant, field } = nodes

/**
 * One row per actor (and breakdown value): `attempts`, each the times of the steps that were reached, in microseconds.
 *
 * Every event of the first step begins an attempt, which takes the earliest event of each next step. Attempts are worked
 * out backwards over the actor's events in one array operation per step: what follows an event is the attempt of the next
 * event that is of the next step. No array is captured by a lambda, so the work grows with the events, not their square.
 */
export async function actorAttempts(funnel: Funnel): Promise<Query> {
  const { exclusions } = funnel
  const rows = await actorRows(funnel)
  const kept = exclusions.map((_, index) => `AND ${keeps(funnel, index)}`).join(" ")
  return template(
    `SELECT actor, breakdown, arrayMap(a -> a.1, arrayFilter(a -> notEmpty(a.1) ${kept},
       arrayMap((${["p", ...exclusions.map((_, index) => `e${index}`)].join(", ")}) ->
         tuple(arrayFilter(t -> t <= p[1] + ${windowMicros(funnel)}, p)${exclusions.map((_, index) => `, e${index}`).join("")}),
         ${["paths", ...exclusions.map((_, index) => `excluded${index}`)].join(", ")}))) AS attempts
     FROM {paths}`,
    { paths: funnel.order === "unordered" ? await unordered(funnel, rows) : orderedPaths(funnel, rows) },
  )
}

const windowMicros = ({ windowSeconds }: Funnel): string => `${windowSeconds}000000`

/** Whether no excluded event came after the one step and before the other, or before the window's end. */
function keeps(funnel: Funnel, index: number): string {
  const { fromStep, toStep } = funnel.exclusions[index] as { fromStep: number; toStep: number }
  const next = `a.${index + 2}`
  return `not (length(a.1) > ${fromStep} AND ${next} > 0 AND
    if(length(a.1) > ${toStep}, ${next} < a.1[${toStep + 1}], ${next} <= a.1[1] + ${windowMicros(funnel)}))`
}

const following = (name: string, empty: string): string => `arrayPushBack(arrayPopFront(${name}), ${empty})`
const filled = (name: string): string => `arrayReverseFill(x -> notEmpty(x), ${name})`
const isStep = (step: number): string => `bitTest(m, ${step})`
const none = "emptyInts"

/** `paths`: for each event the times, in order, at which each step is next reached from it on. */
function unordered({ steps, sameAs }: Funnel, rows: Query): Promise<Query> {
  const columns = [`arrayFilter(x -> x > 0, [0]) AS ${none}`]
  const reached: string[] = []
  steps.forEach((_, step) => {
    if (sameAs[step] !== step) return
    const wanted = sameAs.filter((same) => same === step).length
    columns.push(`arrayMap((t, m) -> if(${isStep(step)}, [t], ${none}), times, masks) AS step${step}_1`)
    for (let count = 2; count <= wanted; count++)
      columns.push(
        `arrayMap((t, m, x) -> if(${isStep(step)}, arrayConcat([t], x), ${none}), times, masks, ${following(filled(`step${step}_${count - 1}`), none)}) AS step${step}_${count}`,
      )
    reached.push(filled(`step${step}_${wanted}`))
  })
  const names = reached.map((_, index) => `x${index}`)
  columns.push(
    `arrayMap((${names.join(", ")}) -> arraySort(arrayConcat(${names.join(", ")}, ${none})), ${reached.join(", ")}) AS paths`,
  )
  return template(`SELECT actor, breakdown, ${columns.join(", ")} FROM {rows}`, { rows })
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
