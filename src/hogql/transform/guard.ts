import { mapSelects } from "../sql/map-queries.js"
import { column, type SqlExpression, type SqlQuery, type SqlSelect, sqlCall, trusted } from "../sql/sql.js"
import { narrowSessions } from "./narrow-sessions.js"
import { pushDownPredicates, pushPredicatesIntoReading } from "./predicate-pushdown.js"

/** Name of the bound parameter that carries the project's id. */
export const PROJECT_PARAMETER = "project"

const PROJECT = trusted(`{${PROJECT_PARAMETER}:Int64}`)

/** The condition that restricts a stored table to one project. */
const toGuard = (alias: string): SqlExpression => sqlCall("equals", column(alias, "project_id"), PROJECT)

/**
 * Restricts every SELECT that reads a stored table to one project (`docs/contract/queries.md#project-guard`). A stored table
 * is always the first source of a FROM that the compiler makes itself, so no OR, outer join or alias in the user's text gets
 * around the condition.
 *
 * It is a PREWHERE and not part of the WHERE, because ClickHouse reorders conditions of a WHERE. It could evaluate a user's
 * condition first, on rows of other projects in the same granule, and whether that failed (`intDiv(1, …)`) revealed what is
 * in them. An explicit PREWHERE is always evaluated first (decision 0036).
 */
export function guard(query: SqlQuery): SqlQuery {
  return mapSelects(query, (select) => {
    const first = select.from[0]
    if (first?.table.kind !== "realTable") return narrowSessions(pushPredicatesIntoReading(select), toGuard)
    return narrowSessions({ ...pushDownPredicates(select), guard: toGuard(first.alias) }, toGuard)
  })
}

/** Whether every stored table of this SELECT (not of its subqueries) is guarded. The printer refuses to print otherwise. */
export function isGuarded(select: SqlSelect): boolean {
  return select.from.every(({ table, alias }, index) => {
    if (table.kind !== "realTable") return true
    return index === 0 && select.guard !== undefined && isGuardFor(select.guard, alias)
  })
}

function isGuardFor(condition: SqlExpression, alias: string): boolean {
  if (condition.kind !== "call" || condition.name !== "equals") return false
  const [left, right] = condition.args
  return left?.kind === "column" && left.source === alias && left.name === "project_id" && right === PROJECT
}
