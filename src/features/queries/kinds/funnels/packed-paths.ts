import { nodes, type Query } from "../../../../hogql/index.js"
import { template } from "../../insights/template.js"
import { packedWindow, selectPackedKeys, timeShift, toBit } from "./packed-keys.js"
import type { Funnel } from "./read-funnel.js"

const { arithmetic, constant } = nodes

/**
 * One row per actor: `breakdown` and `path`, the times in microseconds of the steps of its best attempt: the one that came
 * furthest; of those the one soonest done, then latest started. For steps in order, without exclusions
 * (decisions 0015 and 0026).
 *
 * An attempt is identified by the time at which it started. For each event, `f<step>` keeps the start of the *latest*
 * attempt that has reached the step by then, 0 for none. With steps A → B → C and events at the times 1 to 9:
 *
 *     event    A1  A3  B4  A5  C6  B7  C9
 *     f0 (A)    1   3   3   5   5   5   5
 *     f1 (B)    0   0   3   3   3   5   5
 *     f2 (C)    0   0   0   0   3   3   5
 *
 * An event of a step takes what the event before it has for the step before; any other event repeats the event before it.
 * So one pass forward per step is enough. Keeping only the latest attempt loses nothing: it has come as far as those that
 * it hides, and its conversion window closes later. The attempt of start 3 reached C with the first event that has a 3 in
 * f2: at 6, sooner than the one of start 5, so it is the best.
 *
 * Windows are only looked at in the end, in `firstInTime`: where an attempt has run out of time, those that it hides had
 * started before it, and have too. In strict order an attempt is lost unless the very next event is of the next step, so
 * that events of other steps have 0 instead of repeating anything.
 *
 * Starts and events are written as keys: their time with the bits of their steps below it, see `selectPackedKeys`.
 */
export function selectPackedPaths(funnel: Funnel): Query {
  const { keys, rows } = selectReachedSteps(funnel)
  const firsts = `[${keys.map((key, step) => firstInTime(step, key, funnel)).join(", ")}]`
  const best = [`arrayLast(p -> p > 0, ${firsts}) AS best`]
  if (funnel.order === "strict") best.push(`arrayCount(p -> p > 0, ${firsts}) AS depth`)
  const columns = ["breakdown", ...new Set(["k0", ...keys]), ...keys.map((_, step) => `f${step}`)]
  const found = selectLevel([...columns, ...best], rows, funnel)
  const path = `arrayMap(x -> bitShiftRight(x, ${timeShift(funnel)}), ${toPathKeys(keys, funnel)}) AS path`
  return selectLevel(["breakdown", path], found, funnel)
}

/** The keys of the best attempt's events. */
function toPathKeys(keys: readonly string[], { order }: Funnel): string {
  if (order === "strict") {
    const ends = keys.map((_, step) => `indexOf(f${step}, best)`)
    return `arraySlice(k0, [${ends.join(", ")}][depth] - depth + 1, depth)`
  }
  // The first event that has the attempt in its f: a later attempt that had hidden it by then would be the best itself.
  const reached = keys.map((key, step) => `${key}[indexOf(f${step}, best)]`)
  return `arrayFilter(x -> x >= best AND x - best < {window}, [${reached.join(", ")}])`
}

/**
 * One SELECT around another. `{window}` in its columns is the difference of keys that stands for the conversion window: keys
 * of events within the window differ by less, those of others by more.
 */
const selectLevel = (columns: readonly string[], rows: Query, funnel: Funnel): Query =>
  template(`SELECT ${columns.join(", ")} FROM {rows}`, {
    rows,
    window: arithmetic(
      "+",
      // A shift would keep the narrow type that the engine gives a small number.
      arithmetic("*", constant(packedWindow(funnel)), constant(2 ** timeShift(funnel))),
      constant(2 ** funnel.steps.length),
    ),
  })

/**
 * `keys`: for each step the name of the array of keys that `f<step>` belongs to. `rows`: `breakdown`, those arrays, `f<step>`,
 * and `late_<keys>`: an event is in time for an attempt whose start is greater than this.
 */
function selectReachedSteps(funnel: Funnel) {
  const { steps, order } = funnel
  let key = "k0"
  const keys = [key]
  let columns = ["breakdown", key, reachFirstStep(funnel)]
  let rows = selectPackedKeys(funnel)
  for (let step = 1; step < steps.length; step++) {
    let before = shiftByOne(step - 1, funnel)
    if (order === "ordered" && isCut(step, steps.length)) {
      rows = selectLevel([...columns, `${before} AS before`], rows, funnel)
      columns = ["breakdown", ...new Set(keys), ...keys.map((_, done) => `f${done}`)]
      // Kept are events of the steps from here on. The 0 in front stays: events find what no attempt has reached there.
      const ofNone = 2 ** (steps.length - step) - 1
      const isNeeded = `bitAnd(x, ${ofNone}) <= least(p, ${ofNone - 1})`
      const cut = [
        `arrayFilter((x, p) -> ${isNeeded}, ${key}, before) AS k${step}`,
        `arrayFilter((p, x) -> ${isNeeded}, before, ${key}) AS b${step}`,
      ]
      rows = selectLevel([...columns, ...cut], rows, funnel)
      key = `k${step}`
      before = `b${step}`
      columns.push(key)
    }
    keys.push(key)
    const isOther = `bitTest(x, ${toBit(step, funnel)})`
    const reached =
      order === "strict"
        ? `arrayMap((p, x) -> if(${isOther}, 0, p), ${before}, ${key})`
        : `arrayFill((p, x) -> not(${isOther}), ${before}, ${key})`
    columns.push(`${reached} AS f${step}`)
  }
  const late = [...new Set(keys)].map((name) => `arrayMap(x -> greatest(x - {window}, 0), ${name}) AS late_${name}`)
  return { keys, rows: selectLevel([...columns, ...late], rows, funnel) }
}

/** An attempt reaches the first step with the event that it starts with. */
function reachFirstStep(funnel: Funnel): string {
  const isOther = `bitTest(x, ${toBit(0, funnel)})`
  return funnel.order === "strict"
    ? `arrayMap(x -> if(${isOther}, 0, x), k0) AS f0`
    : `arrayFill(x -> not(${isOther}), k0) AS f0`
}

/**
 * Whether a new SELECT begins before a step, which drops the events that no later step needs. ClickHouse copies an alias's
 * expression into every use of it, so planning takes long when one SELECT chains more than a few steps.
 */
const isCut = (step: number, stepCount: number): boolean => step % 4 === 2 && step + 2 < stepCount

/** What the event before each one has for a step. Nothing to shift where no event is of both steps. */
const shiftByOne = (step: number, funnel: Funnel): string =>
  funnel.order === "ordered" && isDisjoint(step, step + 1, funnel)
    ? `f${step}`
    : `arrayPopBack(arrayPushFront(f${step}, 0))`

/** The attempt that is the first to reach a step within its window; of several at that moment the one that started last. */
function firstInTime(step: number, key: string, funnel: Funnel): string {
  const [isInTime, lists] = ["(p, l) -> p > l", `f${step}, late_${key}`]
  if (!mayTie(step, funnel)) return `arrayFirst(${isInTime}, ${lists})`
  const isThen = `x <= bitOr(${key}[arrayFirstIndex(${isInTime}, ${lists})], ${2 ** funnel.steps.length - 1})`
  return `arrayMax((p, x) -> if(${isThen}, p, 0), f${step}, ${key})`
}

/** Whether no event can be of both steps. */
function isDisjoint(left: number, right: number, { steps }: Funnel): boolean {
  const [a, b] = [steps[left]?.event, steps[right]?.event]
  return a !== null && b !== null && a !== b
}

/** Whether two attempts can reach a step at the same moment by different events, so that the later start has to be looked for. */
function mayTie(step: number, funnel: Funnel): boolean {
  if (step === 0) return false
  const { steps, sameAs } = funnel
  const isSimple = steps.every((_, left) =>
    steps.every((_other, right) => sameAs[left] === sameAs[right] || isDisjoint(left, right, funnel)),
  )
  return !isSimple || !isDisjoint(step - 1, step, funnel)
}
