import {
  compileSelect,
  type Expression,
  HogqlError,
  type HogqlScope,
  nodes,
  parseExpression,
  propertyCondition,
} from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { BoundSelect } from "./session-test.types.js"

const { and, compare, constant, field, or, select, source } = nodes

/** What conditions of one list are made with. */
export interface FilterContext {
  /** What HogQL means in the project. */
  readonly scope: HogqlScope
  /** Data outside of this cannot belong to a session of the list; milliseconds since the epoch. */
  readonly fromMs: number
  readonly toMs: number | null
}

/** Levels of groups in groups. */
export const MAX_DEPTH = 20
/** The fault of a tree of filters with too many levels. */
export const TOO_DEEP = "Property filters are too deeply nested."
const NOWHERE = { start: 0, end: 0 }
/** No row limit: a list is cut only after it has been ordered. */
const EVERY_ROW = { defaultRows: 1_000_000_000, maxRows: 1_000_000_000 }

/** A table that a condition can be put on: the column that is wanted of it, and its time, which bounds what is read. */
const TABLES = {
  events: { column: "$session_id", time: "timestamp" },
  sessions: { column: "session_id", time: "$start_timestamp" },
  log_entries: { column: "log_source_id", time: "timestamp" },
  person_distinct_ids: { column: "distinct_id", time: null },
} as const
/** A table that a condition can be put on. */
export type FilteredTable = keyof typeof TABLES

/** The ids that a condition on a table holds for. @throws HogqlError for a condition that cannot be compiled. */
export function bindSelect(
  table: FilteredTable,
  conditions: readonly Expression[],
  { scope, fromMs, toMs }: FilterContext,
): BoundSelect {
  const { column, time } = TABLES[table]
  // Events of servers belong to no session, and the engine refuses to look for an id among nulls.
  const own = [...conditions, compare("!=", field([table, column]), constant(null))]
  if (time !== null) own.push(compare(">=", field([table, time]), instant(fromMs)))
  if (time !== null && toMs !== null) own.push(compare("<=", field([table, time]), instant(toMs)))
  const { sql, parameters } = compileSelect(
    select({ columns: [field([table, column])], from: [source(field([table]))], where: and([constant(true), ...own]) }),
    { ...scope, rowLimit: EVERY_ROW },
  )
  return { sql, parameters }
}

const instant = (ms: number): Expression => constant(new Date(ms).toISOString())

/**
 * Property filters as a condition on a table: a list, a group `{type: "AND" | "OR", values}`, or one; `hogql` too.
 * @throws HogqlError for a kind or an operator that is not known, AppError invalid_input for too deep a tree.
 */
export function toCondition(table: FilteredTable, filters: Json, depth = 0): Expression {
  if (depth > MAX_DEPTH) throw new AppError("invalid_input", { attr: "properties", detail: TOO_DEEP })
  const group = isJsonObject(filters) && Array.isArray(filters.values) ? filters : null
  const items = group?.values ?? filters
  if (Array.isArray(items)) {
    const conditions = items.map((item) => toCondition(table, item, depth + 1))
    const isAny = group?.type === "OR" && conditions.length > 0
    return isAny ? or([constant(false), ...conditions]) : and([constant(true), ...conditions])
  }
  if (isJsonObject(filters) && filters.type === "hogql" && typeof filters.key === "string")
    return parseExpression(filters.key)
  return propertyCondition(filters, table, NOWHERE)
}

/** Runs what reads conditions of a field of the request. @throws AppError invalid_input naming that field. */
export function orFault<T>(attr: string, work: () => T): T {
  try {
    return work()
  } catch (failure) {
    if (!(failure instanceof HogqlError)) throw failure
    throw new AppError("invalid_input", { attr, detail: failure.message, cause: failure })
  }
}
