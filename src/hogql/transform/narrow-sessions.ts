import { column, type SqlExpression, type SqlSelect, sqlCall, sqlNumber, sqlSelect, trusted } from "../sql/sql.js"
import { isConstant, joinWithAnd, KEEPS_ROWS } from "./predicate-pushdown.js"

const COMPARISONS = new Set(["equals", "less", "lessOrEquals", "greater", "greaterOrEquals"])
const DAY_MS = 86_400_000
/** One for the session, whose events are within a day of its id, and one for time zones and parts of days. */
const MARGIN_DAYS = 2
/** Of the stored table that is read, as everywhere. */
const STORED = "r"

type MakeGuard = (alias: string) => SqlExpression

/**
 * Narrows the roll-up of sessions that a SELECT reads first by its WHERE, or that it joins to events by the times of
 * those: to the days that the times can be about, and the sessions with an event that is more than a day away from the
 * time in their id (decision 0058). Whole sessions are left out, never some of their rows, so that all others are
 * worked out as before. The condition itself stays where it is.
 */
export function narrowSessions(select: SqlSelect, toGuard: MakeGuard): SqlSelect {
  const [first, ...others] = select.from
  if (first?.table.kind === "realTable") return narrowJoined(select, toGuard)
  if (first?.table.kind !== "sqlSelect") return select
  const { table, alias } = first
  const { timesOfRow } = table
  if (table.isReading === true) {
    return { ...select, from: [{ ...first, table: narrowJoined(table, toGuard) }, ...others] }
  }
  if (timesOfRow === undefined || !others.every(({ join }) => KEEPS_ROWS.test(join ?? ""))) return select
  const isTime = (item: SqlExpression): boolean =>
    item.kind === "call" && item.name === "toTimeZone"
      ? item.args[0] !== undefined && isTime(item.args[0])
      : item.kind === "column" && item.source === alias && timesOfRow.includes(item.name)
  return { ...select, from: [{ ...first, table: narrow(table, select.where, isTime, toGuard) }, ...others] }
}

function narrowJoined(select: SqlSelect, toGuard: MakeGuard): SqlSelect {
  const [first, ...joined] = select.from
  const isOfEvents = first?.table.kind === "realTable" && first.table.name === "events"
  const condition = joinWithAnd(select.pushed ?? [])
  if (first === undefined || !isOfEvents || condition === null) return select
  const time = `${STORED}.timestamp`
  const isTime = (item: SqlExpression) => item.kind === "trusted" && item.sql === time
  const narrowed = joined.map((source) => {
    const { table } = source
    if (table.kind !== "sqlSelect" || table.timesOfRow === undefined) return source
    return { ...source, table: narrow(table, condition, isTime, toGuard) }
  })
  return { ...select, from: [first, ...narrowed] }
}

function narrow(
  sessions: SqlSelect,
  condition: SqlExpression | null,
  isTime: (item: SqlExpression) => boolean,
  toGuard: MakeGuard,
): SqlSelect {
  const [stored] = sessions.from
  const days = condition && toDays(condition, isTime)
  if (days === null || stored === undefined) return sessions
  const key = sqlCall("tuple", column(STORED, "day"), column(STORED, "session_id"))
  const astray = sqlSelect({
    columns: [key],
    from: [{ table: stored.table, alias: STORED, join: null, on: null }],
    guard: toGuard(STORED),
    where: column(STORED, "is_astray"),
  })
  const narrowed = sqlCall("or", days, sqlCall("in", key, { kind: "query", query: astray }))
  return { ...sessions, where: joinWithAnd([...(sessions.where === null ? [] : [sessions.where]), narrowed]) }
}

/** What follows from a condition for the day of the session of an event that meets it; null for nothing. */
function toDays(condition: SqlExpression, isTime: (item: SqlExpression) => boolean): SqlExpression | null {
  if (condition.kind !== "call" || condition.parameters !== null) return null
  const { name, args } = condition
  if (name === "and" || name === "or") {
    const days = args.map((item) => toDays(item, isTime)).filter((item) => item !== null)
    if (name === "or" && days.length < args.length) return null
    return days.length > 1 ? sqlCall(name, ...days) : (days[0] ?? null)
  }
  const [time, constant] = args
  if (!COMPARISONS.has(name) || time === undefined || constant === undefined) return null
  if (!isTime(time) || !isConstant(constant)) return null
  const day = column(STORED, "day")
  const above = sqlCall("greaterOrEquals", day, sqlCall("minus", toDay(constant), sqlNumber(MARGIN_DAYS)))
  const below = sqlCall("lessOrEquals", day, sqlCall("plus", toDay(constant), sqlNumber(MARGIN_DAYS)))
  if (name === "equals") return sqlCall("and", above, below)
  return name.startsWith("greater") ? above : below
}

/** Days from 1970 to a time. */
const toDay = (time: SqlExpression): SqlExpression =>
  sqlCall(
    "intDiv",
    sqlCall("toUnixTimestamp64Milli", sqlCall("toDateTime64", time, sqlNumber(3), trusted("'UTC'"))),
    sqlNumber(DAY_MS),
  )
