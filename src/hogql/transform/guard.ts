import { mapSelects } from "../sql/map-queries.js"
import { column, type SqlExpression, type SqlQuery, type SqlSelect, sqlCall, trusted } from "../sql/sql.js"

/** Name of the bound parameter that carries the project's id. */
export const PROJECT_PARAMETER = "project"

const PROJECT = trusted(`{${PROJECT_PARAMETER}:Int64}`)

/** The condition that keeps a real table to one project. */
const guardOf = (alias: string): SqlExpression => sqlCall("equals", column(alias, "project_id"), PROJECT)

/**
 * ANDs `project_id = <project>` into the own WHERE of every SELECT that reads a real table (`management.md` 8.7). Real
 * tables stand alone at the head of a FROM that the user's text cannot reach, so neither an OR nor an outer join nor a
 * clever alias gets around it.
 */
export function guard(query: SqlQuery): SqlQuery {
  return mapSelects(query, (select) => {
    const first = select.from[0]
    if (first?.table.kind !== "realTable") return select
    const condition = guardOf(first.alias)
    return { ...select, where: select.where === null ? condition : sqlCall("and", condition, select.where) }
  })
}

/** Whether every real table of this SELECT (not of its subqueries) is guarded. The printer asks before it prints. */
export function isGuarded(select: SqlSelect): boolean {
  return select.from.every(({ table, alias }, index) => {
    if (table.kind !== "realTable") return true
    return index === 0 && select.where !== null && holds(select.where, alias)
  })
}

function holds(where: SqlExpression, alias: string): boolean {
  if (where.kind !== "call") return false
  if (where.name === "and") return where.args.some((item) => holds(item, alias))
  const [left, right] = where.args
  const isColumn = left?.kind === "column" && left.source === alias && left.name === "project_id"
  return where.name === "equals" && isColumn && right === PROJECT
}
