import { nodes, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { bitOf, packedKeys, packedWindow, timeShift } from "./packed-keys.js"
import type { Funnel } from "./read-funnel.js"

/**
 * One row per actor: `breakdown` and `path`, the times in microseconds of the steps of the attempt that came furthest; of those
 * the one soonest done, then latest begun. For steps in order, without exclusions (`docs/decisions/0015` and `0026`).
 */
export async function packedPaths(funnel: Funnel): Promise<Query> {
  const { keys, rows } = await reachedSteps(funnel)
  const firsts = `[${keys.map((key, step) => firstReached(step, key, funnel)).join(", ")}]`
  const best = [`arrayLast(p -> p > 0, ${firsts}) AS best`]
  if (funnel.order === "strict") best.push(`arrayCount(p -> p > 0, ${firsts}) AS depth`)
  const columns = ["breakdown", ...new Set(["k0", ...keys]), ...keys.map((_, step) => `f${step}`)]
  const found = await level([...columns, ...best], rows, funnel)
  const path = `arrayMap(x -> bitShiftRight(x, ${timeShift(funnel)}), ${pathKeys(keys, funnel)}) AS path`
  return level(["breakdown", path], found, funnel)
}

/** The keys of the best attempt's events. */
function pathKeys(keys: readonly string[], { order }: Funnel): string {
  if (order === "strict") {
    const ends = keys.map((_, step) => `indexOf(f${step}, best)`)
    return `arraySlice(k0, [${ends.join(", ")}][depth] - depth + 1, depth)`
  }
  // An attempt reaches a step with the first event that has its key: had a later one taken its place, that were the best.
  const reached = keys.map((key, step) => `${key}[indexOf(f${step}, best)]`)
  return `arrayFilter(x -> x >= best AND x - best < {window}, [${reached.join(", ")}])`
}

/** `{window}`: keys of events within the conversion window differ by less, those of others by more, whatever their low bits are. */
const level = (columns: readonly string[], rows: Query, funnel: Funnel): Promise<Query> =>
  template(`SELECT ${columns.join(", ")} FROM {rows}`, {
    rows,
    window: nodes.arithmetic(
      "+",
      // A shift would keep the narrow type that the engine gives a small number.
      nodes.arithmetic("*", nodes.constant(packedWindow(funnel)), nodes.constant(2 ** timeShift(funnel))),
      nodes.constant(2 ** funnel.steps.length),
    ),
  })

interface Reached {
  /** For each step the name of the array of keys that `f<step>` belongs to. */
  readonly keys: readonly string[]
  /** `breakdown`, those arrays, `f<step>`, and `late_<keys>`: for each key what an attempt's must exceed for it to be in time. */
  readonly rows: Query
}

/**
 * `f<step>` has, for each event, the key of the latest begun attempt that has reached the step by then, 0 for none; in strict order
 * only for events of the step. An event needs only what the last event of the step before has, as an attempt begun later is never
 * worse: it is as far, and its window ends later. So windows need not be looked at before an attempt's last step: one whose window
 * has ended stands where only others could that ended sooner.
 */
async function reachedSteps(funnel: Funnel): Promise<Reached> {
  const { steps, order } = funnel
  const keys = ["k0"]
  let columns = ["breakdown", "k0", firstStep(funnel)]
  let rows = await packedKeys(funnel)
  for (let step = 1; step < steps.length; step++) {
    let key = keys[step - 1] as string
    let before = beforeEach(step, funnel)
    if (order === "ordered" && isCut(step, steps.length)) {
      rows = await level([...columns, `${before} AS before`], rows, funnel)
      columns = ["breakdown", ...new Set(keys), ...keys.map((_, done) => `f${done}`)]
      // The 0 in front stays: events find what no attempt has reached there.
      const ofNone = 2 ** (steps.length - step) - 1
      const isNeeded = `bitAnd(x, ${ofNone}) <= least(p, ${ofNone - 1})`
      const cut = [
        `arrayFilter((x, p) -> ${isNeeded}, ${key}, before) AS k${step}`,
        `arrayFilter((p, x) -> ${isNeeded}, before, ${key}) AS b${step}`,
      ]
      rows = await level([...columns, ...cut], rows, funnel)
      key = `k${step}`
      before = `b${step}`
      columns.push(key)
    }
    keys.push(key)
    const isOther = `bitTest(x, ${bitOf(step, funnel)})`
    const reached =
      order === "strict"
        ? `arrayMap((p, x) -> if(${isOther}, 0, p), ${before}, ${key})`
        : `arrayFill((p, x) -> not(${isOther}), ${before}, ${key})`
    columns.push(`${reached} AS f${step}`)
  }
  const late = [...new Set(keys)].map((key) => `arrayMap(x -> greatest(x - {window}, 0), ${key}) AS late_${key}`)
  return { keys, rows: await level([...columns, ...late], rows, funnel) }
}

const firstStep = (funnel: Funnel): string => {
  const isOther = `bitTest(x, ${bitOf(0, funnel)})`
  return funnel.order === "strict"
    ? `arrayMap(x -> if(${isOther}, 0, x), k0) AS f0`
    : `arrayFill(x -> not(${isOther}), k0) AS f0`
}

/**
 * Before which steps a new SELECT begins, in which events are dropped that no later step needs. That pays when several follow; the
 * engine copies what an alias stands for, so that a chain of more than some steps in one SELECT takes it long to plan.
 */
const isCut = (step: number, stepCount: number): boolean => step % 4 === 2 && step + 2 < stepCount

/** What the events before each one have reached of the step before; in strict order only the very last event counts. */
const beforeEach = (step: number, funnel: Funnel): string =>
  funnel.order === "ordered" && isDisjoint(step - 1, step, funnel)
    ? `f${step - 1}`
    : `arrayPopBack(arrayPushFront(f${step - 1}, 0))`

/** The attempt that reaches a step first in its time, by its key; of those that reach it in the same moment, the latest begun one. */
function firstReached(step: number, key: string, funnel: Funnel): string {
  const [isInTime, of] = ["(p, l) -> p > l", `f${step}, late_${key}`]
  if (!mayTie(step, funnel)) return `arrayFirst(${isInTime}, ${of})`
  const isThen = `x <= bitOr(${key}[arrayFirstIndex(${isInTime}, ${of})], ${2 ** funnel.steps.length - 1})`
  return `arrayMax((p, x) -> if(${isThen}, p, 0), f${step}, ${key})`
}

/** Whether no event can be of both steps. */
function isDisjoint(left: number, right: number, { steps }: Funnel): boolean {
  const [a, b] = [steps[left]?.event, steps[right]?.event]
  return a !== null && b !== null && a !== b
}

/** Whether attempts can reach a step in the same moment with different events, of which one begun later than the other. */
function mayTie(step: number, funnel: Funnel): boolean {
  if (step === 0) return false
  const { steps, sameAs } = funnel
  const isSimple = steps.every((_, left) =>
    steps.every((_other, right) => sameAs[left] === sameAs[right] || isDisjoint(left, right, funnel)),
  )
  return !isSimple || !isDisjoint(step - 1, step, funnel)
}
