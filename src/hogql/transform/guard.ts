import { mapSelects } from "../sql/map-queries.js"
import { column, type SqlExpression, type SqlQuery, type SqlSelect, sqlCall, trusted } from "../sql/sql.js"
import { pushDownPredicates, pushPredicatesIntoReading } from "./predicate-pushdown.js"

/** Name of the bound parameter that carries the project's id. */
export const PROJECT_PARAMETER = "project"

const PROJECT = trusted(`{${PROJECT_PARAMETER}:Int64}`)

/** The condition that keeps a real table to one project. */
const toGuard = (alias: string): SqlExpression => sqlCall("equals", column(alias, "project_id"), PROJECT)

/**
 * Puts `project_id = <project>` in front of every SELECT that reads a real table
 * (`docs/contract/queries.md#project-guard`). Real tables stand alone at the head of a FROM that the user's text cannot
 * reach, so neither an OR nor an outer join nor a clever alias gets around it.
 *
 * As PREWHERE, not in the WHERE: the engine moves conditions about as it likes, those of outer SELECTs inwards and
 * those on the key to the end. It then evaluated a user's condition on rows of other projects that share a granule, and
 * whether that failed (`intDiv(1, …)`) told what is in them. A PREWHERE that is written out is carried out first and
 * moves nowhere (decision 0036).
 */
export function guard(query: SqlQuery): SqlQuery {
  return mapSelects(query, (select) => {
    const first = select.from[0]
    if (first?.table.kind !== "realTable") return pushPredicatesIntoReading(select)
    return { ...pushDownPredicates(select), guard: toGuard(first.alias) }
  })
}

/** Whether every real table of this SELECT (not of its subqueries) is guarded. The printer asks before it prints. */
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
