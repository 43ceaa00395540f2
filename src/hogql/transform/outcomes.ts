import type { SqlCall, SqlExpression } from "../sql/sql.js"
import { hasSafePattern, isPatternMatch } from "./safe-patterns.js"

const TRUE = 1
const FALSE = 2
const NULL = 4
const ANY = TRUE | FALSE | NULL

/** Functions that give null when any argument is null, and never fail on a row. */
const STRICT: ReadonlySet<string> = new Set(
  ["equals notEquals less lessOrEquals greater greaterOrEquals like notLike ilike notILike match"]
    .concat("lower upper trim toString toFloat64OrNull toTimeZone parseDateTime64BestEffortOrNull toUUIDOrNull")
    .flatMap((names) => names.split(" ")),
)
/** Functions with a rule of their own below. */
const WITH_OWN_RULE: ReadonlySet<string> = new Set("and or not ifNull isNull isNotNull in if multiIf".split(" "))

/** Whether a call gives the same for the same arguments, and never fails on a row whatever is in it. */
export const isTotal = (call: SqlCall): boolean =>
  call.parameters === null &&
  (isPropertyText(call) || STRICT.has(call.name) || WITH_OWN_RULE.has(call.name)) &&
  (!isPatternMatch(call) || hasSafePattern(call))

/** `JSONExtract(column, name, …, 'Nullable(String)')`, which is null where the column is empty or no JSON. */
export function isPropertyText(item: SqlExpression): boolean {
  if (item.kind !== "call" || item.name !== "JSONExtract") return false
  const last = item.args.at(-1)
  return last?.kind === "trusted" && last.sql === "'Nullable(String)'"
}

/** Whether a condition can hold where everything that `isNull` knows is null. */
export const canHold = (condition: SqlExpression, isNull: (item: SqlExpression) => boolean): boolean =>
  (findOutcomes(condition, isNull) & TRUE) !== 0

/** What an expression may come to, as bits; a value that is not null counts as true and as false. */
function findOutcomes(item: SqlExpression, isNull: (item: SqlExpression) => boolean): number {
  if (isNull(item)) return NULL
  if (item.kind === "text") return TRUE | FALSE
  if (item.kind === "number") return Number(item.value) === 0 ? FALSE : TRUE
  if (item.kind === "trusted") return WRITTEN.get(item.sql) ?? ANY
  if (item.kind !== "call") return ANY
  const args = item.args.map((arg) => findOutcomes(arg, isNull))
  const [first = ANY, second = ANY] = args
  switch (item.name) {
    case "and":
      return args.reduce((all, arg) => combine(all, arg, (a, b) => minimum(a, b)), TRUE)
    case "or":
      return args.reduce((all, arg) => combine(all, arg, (a, b) => negate(minimum(negate(a), negate(b)))), FALSE)
    case "not":
      return negate(first)
    case "ifNull":
      return (first & NULL) === 0 ? first : (first & ~NULL) | second
    case "isNull":
      return ((first & NULL) === 0 ? 0 : TRUE) | ((first & ~NULL) === 0 ? 0 : FALSE)
    case "isNotNull":
      return ((first & NULL) === 0 ? 0 : FALSE) | ((first & ~NULL) === 0 ? 0 : TRUE)
    case "in":
      return first === NULL && holdsNoNull(item.args[1]) ? FALSE | NULL : ANY
    case "if":
    case "multiIf":
      return choose(args)
    default:
      return STRICT.has(item.name) && args.includes(NULL) ? NULL : ANY
  }
}

const WRITTEN: ReadonlyMap<string, number> = new Map([
  ["NULL", NULL],
  ["true", TRUE],
  ["false", FALSE],
])

/** Every outcome of a function of two values, for what each of them may be. */
function combine(left: number, right: number, of: (a: number, b: number) => number): number {
  const each = [TRUE, FALSE, NULL]
  return each
    .filter((a) => (left & a) !== 0)
    .flatMap((a) => each.filter((b) => (right & b) !== 0).map((b) => of(a, b)))
    .reduce((all, outcome) => all | outcome, 0)
}

/** AND of two single outcomes. */
function minimum(a: number, b: number): number {
  if (a === FALSE || b === FALSE) return FALSE
  return a === NULL || b === NULL ? NULL : TRUE
}

const negate = (outcomes: number): number =>
  (outcomes & NULL) | ((outcomes & TRUE) === 0 ? 0 : FALSE) | ((outcomes & FALSE) === 0 ? 0 : TRUE)

/** `multiIf(condition, value, …, else)`. */
function choose(args: readonly number[]): number {
  let outcomes = 0
  for (let index = 0; index + 1 < args.length; index += 2) {
    const condition = args[index] ?? ANY
    if ((condition & TRUE) !== 0) outcomes |= args[index + 1] ?? ANY
    if (condition === TRUE) return outcomes
  }
  return outcomes | (args.at(-1) ?? ANY)
}

/** Whether a list is written out and has values alone; IN finds null in a list that has it. */
function holdsNoNull(list: SqlExpression | undefined): boolean {
  if (list?.kind === "trusted") return /^\('[^']*'(?:, '[^']*')*\)$/.test(list.sql)
  return (
    list?.kind === "call" &&
    list.name === "tuple" &&
    list.args.every(({ kind }) => kind === "text" || kind === "number")
  )
}
