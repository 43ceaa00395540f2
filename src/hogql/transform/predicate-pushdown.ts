import { mapInner } from "../sql/map-queries.js"
import { type SqlExpression, type SqlSelect, sqlCall } from "../sql/sql.js"

const COMPARISONS = new Set(["equals", "notEquals", "less", "lessOrEquals", "greater", "greaterOrEquals", "in"])
const JOINED_CONDITIONS = new Set(["and", "or", "not"])
/** Calls that give a constant for constants, or fail for every row alike; not `rand` and the like. */
const CONSTANT_CALLS = new Set([
  ..."tuple array toUUID parseDateTime64BestEffort fromUnixTimestamp64Milli toInt64 plus minus".split(" "),
  ..."toDate toStartOfDay".split(" "),
  ...["Second", "Minute", "Hour", "Day", "Week", "Month", "Quarter", "Year"].map((unit) => `toInterval${unit}`),
])

/**
 * Predicate push-down within a SELECT of a stored table: comparisons of its columns with constants move from the WHERE into the
 * PREWHERE of the guard, where ClickHouse evaluates them before it reads other columns. Such a comparison cannot fail because
 * of a row, so nothing is revealed although it may see rows of other projects. All other conditions stay behind the guard
 * (decision 0036). Not done with an ARRAY JOIN or with joins that are not LEFT, which work on rows before WHERE.
 */
export function pushDownPredicates(select: SqlSelect): SqlSelect {
  const [first, ...others] = select.from
  const isPlain = select.arrayJoin === null && others.every(({ join }) => join?.startsWith("LEFT "))
  if (first?.table.kind !== "realTable" || select.where === null || !isPlain) return select
  const conditions = listConjuncts(select.where)
  const pushed = conditions.filter((condition) => isPushable(condition, first.alias))
  if (pushed.length === 0) return select
  // Comparisons with constants cost least, so they are asked first.
  const all = [...pushed, ...(select.pushed ?? [])]
  return { ...select, pushed: all, where: joinWithAnd(conditions.filter((condition) => !pushed.includes(condition))) }
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
  const table = { ...reading, pushed: [...pushed, ...(reading.pushed ?? [])] }
  return { ...select, from: [{ ...first, table }, ...others], where: joinWithAnd(kept) }
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

function isPushable(condition: SqlExpression, alias: string): boolean {
  if (condition.kind !== "call" || condition.parameters !== null) return false
  if (JOINED_CONDITIONS.has(condition.name)) return condition.args.every((item) => isPushable(item, alias))
  const [column, constant, ...more] = condition.args
  if (!COMPARISONS.has(condition.name) || column === undefined || constant === undefined || more.length > 0)
    return false
  return isStoredColumn(column, alias) && isConstant(constant)
}

const BARE_NAME = /^(?:\w+|`[\w$]+`)$/

/** Whether an expression is a bare column of the stored table; the schema writes those as `r.name`. */
function isStoredColumn(item: SqlExpression, alias: string): boolean {
  if (item.kind === "column") return item.source === alias
  return item.kind === "trusted" && item.sql.startsWith(`${alias}.`) && BARE_NAME.test(item.sql.slice(alias.length + 1))
}

/** Whether an expression has no column, and is the same for every row. */
export function isConstant(item: SqlExpression): boolean {
  if (item.kind === "call")
    return CONSTANT_CALLS.has(item.name) && item.args.every((arg) => isConstant(arg) || isZone(arg))
  return item.kind === "text" || item.kind === "number"
}

/** Names of time zones are written out, in quotes. */
const isZone = (item: SqlExpression): boolean => item.kind === "trusted" && /^'[\w/+-]+'$/.test(item.sql)
