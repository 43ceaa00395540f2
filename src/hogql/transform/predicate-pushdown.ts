import { mapInner } from "../sql/map-queries.js"
import { type SqlExpression, type SqlSelect, sqlCall } from "../sql/sql.js"
import { isTotal } from "./outcomes.js"

const COMPARISONS = new Set(["equals", "notEquals", "less", "lessOrEquals", "greater", "greaterOrEquals", "in"])
const JOINED_CONDITIONS = new Set(["and", "or", "not"])
/** Calls that come to true, false or null. */
const CONDITIONS = new Set(
  [...COMPARISONS, ...JOINED_CONDITIONS].concat("like notLike ilike notILike match isNull isNotNull".split(" ")),
)
/** Calls that give a constant for constants, or fail for every row alike; not `rand` and the like. */
const CONSTANT_CALLS = new Set([
  ..."tuple array concat toUUID parseDateTime64BestEffort fromUnixTimestamp64Milli toInt64 plus minus".split(" "),
  ..."toDate toStartOfDay".split(" "),
  ...["Second", "Minute", "Hour", "Day", "Week", "Month", "Quarter", "Year"].map((unit) => `toInterval${unit}`),
])

/**
 * Predicate push-down within a SELECT of a stored table: conditions on its columns alone, of functions that cannot fail
 * because of a row, move from the WHERE into the PREWHERE of the guard, where ClickHouse evaluates them before it reads
 * other columns. So nothing is revealed although they may see rows of other projects. All other conditions stay behind
 * the guard (decisions 0036 and 0070). Not done with an ARRAY JOIN or with joins that are not LEFT, which work on rows
 * before WHERE, nor where rows of one key are merged while they are read.
 */
export function pushDownPredicates(select: SqlSelect): SqlSelect {
  const [first, ...others] = select.from
  const isPlain = select.arrayJoin === null && others.every(({ join }) => join?.startsWith("LEFT "))
  if (first?.table.kind !== "realTable" || first.isFinal || select.where === null || !isPlain) return select
  const conditions = listConjuncts(select.where)
  const pushed = conditions.filter((condition) => isPushable(condition, first.alias))
  if (pushed.length === 0) return select
  const where = joinWithAnd(conditions.filter((condition) => !pushed.includes(condition)))
  return { ...push(select, pushed, first.alias), where }
}

/**
 * Predicate push-down into the subquery that reads the first table. HogQL of users reads each table in such a subquery, which
 * would otherwise read all columns also of rows that the WHERE around it drops by event name or time (decision 0037).
 */
export function pushPredicatesIntoReading(select: SqlSelect): SqlSelect {
  const [first, ...others] = select.from
  const reading = first?.table
  if (reading?.kind !== "sqlSelect" || reading.isReading !== true || select.where === null) return select
  const [stored, ...joined] = reading.from
  const keepsRows = [...others, ...joined].every(({ join }) => KEEPS_ROWS.test(join ?? ""))
  if (first === undefined || stored === undefined || reading.guard === undefined || !keepsRows) return select
  const pushed: SqlExpression[] = []
  const kept = listConjuncts(select.where).filter((condition) => {
    const read = toReading(condition, first.alias, reading)
    const isPushed = isPushable(read, stored.alias)
    if (isPushed) pushed.push(read)
    return !isPushed
  })
  if (pushed.length === 0) return select
  const table = push(reading, pushed, stored.alias)
  return { ...select, from: [{ ...first, table }, ...others], where: joinWithAnd(kept) }
}

/** Asks comparisons of columns with constants first, as they cost least; then ids looked for, then the rest. */
function push(select: SqlSelect, conditions: readonly SqlExpression[], alias: string): SqlSelect {
  const isCheap = (condition: SqlExpression): boolean => isComparison(condition, alias)
  const others = conditions.filter((condition) => !isCheap(condition))
  return { ...select, pushed: [...conditions.filter(isCheap), ...(select.pushed ?? []), ...others] }
}

/** Joins that treat each row of the left side by itself, so that dropping it before the join is the same as after. */
export const KEEPS_ROWS = /^(?:LEFT |INNER JOIN$|CROSS JOIN$)/

/** The condition in terms of the stored table: each column replaced by the expression that the subquery selects. */
function toReading(item: SqlExpression, alias: string, reading: SqlSelect): SqlExpression {
  if (item.kind === "call") return mapInner(item, (inner) => toReading(inner, alias, reading))
  if (item.kind !== "column" || item.source !== alias) return item
  const selected = reading.columns.find((one) => one.kind === "aliased" && one.name === item.name)
  return selected?.kind === "aliased" ? selected.expression : item
}

/** Conditions that must all hold; null for none. */
export const joinWithAnd = (conditions: readonly SqlExpression[]): SqlExpression | null =>
  conditions.length > 1 ? sqlCall("and", ...conditions) : (conditions[0] ?? null)

/** The conditions that must all hold. */
export const listConjuncts = (condition: SqlExpression): readonly SqlExpression[] =>
  condition.kind === "call" && condition.name === "and" ? condition.args.flatMap(listConjuncts) : [condition]

/** Whether a condition is about the stored table alone and cannot fail on any row of it. */
function isPushable(condition: SqlExpression, alias: string): boolean {
  if (isComparison(condition, alias)) return true
  return isCondition(condition) && isHarmless(condition, alias) && readsColumn(condition, alias)
}

const readsColumn = (item: SqlExpression, alias: string): boolean =>
  item.kind === "spare" ||
  isStoredColumn(item, alias) ||
  (item.kind === "call" && item.args.some((arg) => readsColumn(arg, alias)))

/** Whether an expression is a condition; text in its place is an error that the engine tells of where it stands. */
function isCondition(item: SqlExpression): boolean {
  if (item.kind !== "call") return false
  return (
    CONDITIONS.has(item.name) || (item.name === "ifNull" && item.args[0] !== undefined && isCondition(item.args[0]))
  )
}

function isHarmless(item: SqlExpression, alias: string): boolean {
  if (item.kind === "spare" || isStoredColumn(item, alias) || isConstant(item) || isLiteral(item)) return true
  return item.kind === "call" && isTotal(item) && item.args.every((arg) => isHarmless(arg, alias))
}

/** Whether stored columns are compared with constants, and nothing else. */
function isComparison(condition: SqlExpression, alias: string): boolean {
  if (condition.kind !== "call" || condition.parameters !== null) return false
  if (JOINED_CONDITIONS.has(condition.name)) return condition.args.every((item) => isComparison(item, alias))
  const [column, constant, ...more] = condition.args
  if (!COMPARISONS.has(condition.name) || column === undefined || constant === undefined || more.length > 0)
    return false
  return isStoredColumn(column, alias) && isConstant(constant)
}

/** A name, and the same where "" stands for null. */
const BARE_NAME = /^(?:\w+|`[\w$]+`)$/
const OPTIONAL_NAME = /^nullIf\((\w+)\.(?:\w+|`[\w$]+`), ''\)$/

/** Whether an expression is a bare column of the stored table; the schema writes those as `r.name`. */
function isStoredColumn(item: SqlExpression, alias: string): boolean {
  if (item.kind === "column") return item.source === alias
  if (item.kind !== "trusted") return false
  if (OPTIONAL_NAME.exec(item.sql)?.[1] === alias) return true
  return item.sql.startsWith(`${alias}.`) && BARE_NAME.test(item.sql.slice(alias.length + 1))
}

/** Whether an expression has no column, and is the same for every row. */
export function isConstant(item: SqlExpression): boolean {
  if (item.kind === "call")
    return CONSTANT_CALLS.has(item.name) && item.args.every((arg) => isConstant(arg) || isZone(arg))
  return item.kind === "text" || item.kind === "number"
}

/** Names of time zones are written out, in quotes. */
const isZone = (item: SqlExpression): boolean => item.kind === "trusted" && /^'[\w/+-]+'$/.test(item.sql)

/** Whether an expression is a word or texts that the compiler writes out. */
export const isLiteral = (item: SqlExpression): boolean => item.kind === "trusted" && LITERAL.test(item.sql)

const LITERAL = /^(?:NULL|true|false|'[^']*'|\('[^']*'(?:, '[^']*')*\))$/
