import { nodes, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { bitOf, packedKeys, packedWindow } from "./packed-keys.js"
import type { Funnel } from "./read-funnel.js"

/**
 * One row per actor: `breakdown` and `path`, the times in microseconds of the steps of the attempt that came furthest; of those
 * the one soonest done, then latest begun. For steps in order, without exclusions (`docs/decisions/0015`).
 */
export async function packedPaths(funnel: Funnel): Promise<Query> {
  const { keys, columns, rows } = await reachedSteps(funnel)
  const firsts = `[${keys.map((key, step) => firstReached(step, key, funnel)).join(", ")}]`
  const best = [`arrayLast(y -> y > 0, ${firsts}) AS best`]
  if (funnel.order === "strict") best.push(`arrayCount(y -> y > 0, ${firsts}) AS depth`)
  const found = await level([...columns, ...best], rows, funnel)
  const path = `arrayMap(x -> bitShiftRight(x, ${keys.length}), ${pathKeys(keys, funnel)}) AS path`
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
  return `arrayFilter(x -> x > 0, [${reached.join(", ")}])`
}

const level = (columns: readonly string[], rows: Query, funnel: Funnel): Promise<Query> =>
  template(`SELECT ${columns.join(", ")} FROM {rows}`, { rows, window: nodes.constant(packedWindow(funnel)) })

interface Reached {
  /** For each step the name of the array of keys that `f<step>` belongs to. */
  readonly keys: readonly string[]
  /** What makes `f<step>` of `rows`, each referred to by the next one only: the engine copies what an alias stands for. */
  readonly columns: readonly string[]
  readonly rows: Query
}

/**
 * `f<step>` has, for each event of the step, the key of the latest begun attempt that reaches the step with it, 0 for none. An
 * event needs only what the last event of the step before has, as an attempt begun later is never worse: it is as far, and its
 * window ends later.
 */
async function reachedSteps(funnel: Funnel): Promise<Reached> {
  const { steps, order } = funnel
  const keys = ["k0"]
  let columns = ["breakdown", "k0", `arrayMap(x -> if(bitTest(x, ${bitOf(0, funnel)}), 0, x), k0) AS f0`]
  let rows = await packedKeys(funnel)
  for (let step = 1; step < steps.length; step++) {
    let key = keys[step - 1] as string
    let before = beforeEach(step, funnel)
    if (order === "ordered" && isCut(step, steps.length)) {
      rows = await level([...columns, `${before} AS before`], rows, funnel)
      columns = ["breakdown", ...new Set(keys), ...keys.map((_, done) => `f${done}`)]
      const ofNone = 2 ** (steps.length - step) - 1
      const isNeeded = `p > 0 AND bitAnd(x, ${ofNone}) < ${ofNone}`
      const cut = (array: string) => `arrayFilter((a, x, p) -> ${isNeeded}, ${array}, ${key}, before)`
      rows = await level([...columns, `${cut(key)} AS k${step}`, `${cut("before")} AS b${step}`], rows, funnel)
      key = `k${step}`
      before = `b${step}`
      columns.push(key)
    }
    keys.push(key)
    const isOther = `bitTest(x, ${bitOf(step, funnel)})`
    columns.push(
      `arrayMap((x, p) -> if(${isOther} OR ${distance(funnel)} > {window}, 0, p), ${key}, ${before}) AS f${step}`,
    )
  }
  return { keys, columns, rows }
}

/** Leaving out what later steps do not need pays when several follow. */
const isCut = (step: number, stepCount: number): boolean => (step === 2 || step === 4) && step + 1 < stepCount

const lowBits = ({ steps }: Funnel): number => 2 ** steps.length - 1

/** Microseconds from the attempt `p` to the event `x`, whatever their low bits are. */
const distance = (funnel: Funnel): string => `bitShiftRight(bitOr(x, ${lowBits(funnel)}) - p, ${funnel.steps.length})`

/** What the events before each one have reached of the step before; in strict order only the very last event counts. */
function beforeEach(step: number, funnel: Funnel): string {
  const filled = `arrayFill(y -> y > 0, f${step - 1})`
  if (funnel.order === "strict") return `arrayPopBack(arrayPushFront(f${step - 1}, 0))`
  return isDisjoint(step - 1, step, funnel) ? filled : `arrayPopBack(arrayPushFront(${filled}, 0))`
}

/** The attempt that reaches a step first, by its key; of those that reach it in the same moment, the latest begun one. */
function firstReached(step: number, key: string, funnel: Funnel): string {
  if (!mayTie(step, funnel)) return `arrayFirst(y -> y > 0, f${step})`
  const isThen = `x <= bitOr(${key}[arrayFirstIndex(y -> y > 0, f${step})], ${lowBits(funnel)})`
  return `arrayMax((y, x) -> if(${isThen}, y, 0), f${step}, ${key})`
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
