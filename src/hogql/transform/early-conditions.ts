import { type SqlExpression, type SqlSelect, sqlCall } from "../sql/sql.js"

const COMPARISONS = new Set(["equals", "notEquals", "less", "lessOrEquals", "greater", "greaterOrEquals", "in"])
const JOINED_CONDITIONS = new Set(["and", "or", "not"])
const CONSTANT_CALLS = new Set(["tuple", "array", "parseDateTime64BestEffort"])

/**
 * Lets conditions that compare a column of the stored table with a constant stand beside its guard, where the engine asks them
 * before it reads any other column. They cannot fail for the sake of a row, so it tells nothing that rows of other projects may
 * be asked as well; everything else stays behind the guard (decision 0036). Only where no other clause sees rows before WHERE.
 */
export function withEarlyConditions(select: SqlSelect): SqlSelect {
  const [first, ...others] = select.from
  const isPlain = select.arrayJoin === null && others.every(({ join }) => join?.startsWith("LEFT "))
  if (first?.table.kind !== "realTable" || select.where === null || !isPlain) return select
  const conditions = conjunctsOf(select.where)
  const early = conditions.filter((condition) => isEarly(condition, first.alias))
  if (early.length === 0) return select
  const late = conditions.filter((condition) => !early.includes(condition))
  return { ...select, early, where: late.length > 1 ? sqlCall("and", ...late) : (late[0] ?? null) }
}

const conjunctsOf = (condition: SqlExpression): readonly SqlExpression[] =>
  condition.kind === "call" && condition.name === "and" ? condition.args.flatMap(conjunctsOf) : [condition]

function isEarly(condition: SqlExpression, alias: string): boolean {
  if (condition.kind !== "call" || condition.parameters !== null) return false
  if (JOINED_CONDITIONS.has(condition.name)) return condition.args.every((item) => isEarly(item, alias))
  const [column, constant, ...more] = condition.args
  if (!COMPARISONS.has(condition.name) || column === undefined || constant === undefined || more.length > 0)
    return false
  return isStoredColumn(column, alias) && isConstant(constant)
}

/** The schema writes the columns of a stored table out. */
function isStoredColumn(item: SqlExpression, alias: string): boolean {
  if (item.kind === "column") return item.source === alias
  return item.kind === "trusted" && item.sql.startsWith(`${alias}.`) && /^\w+$/.test(item.sql.slice(alias.length + 1))
}

function isConstant(item: SqlExpression): boolean {
  if (item.kind === "call")
    return CONSTANT_CALLS.has(item.name) && item.args.every((arg) => isConstant(arg) || isZone(arg))
  return item.kind === "text" || item.kind === "number"
}

/** Names of time zones are written out, in quotes. */
const isZone = (item: SqlExpression): boolean => item.kind === "trusted" && /^'[\w/+-]+'$/.test(item.sql)
