import { sameText } from "../nodes/same-text.js"
import { mapClauses, mapInner, mapSelects } from "../sql/map-queries.js"
import { type SqlExpression, type SqlQuery, type SqlSelect, sqlCall } from "../sql/sql.js"

/**
 * Inlines subqueries: a SELECT that reads nothing but a subquery which only renames columns of one stored table (`isReading`)
 * reads that table itself. ClickHouse then plans one SELECT less (decision 0033):
 *
 *     SELECT count() FROM (SELECT r.event AS event FROM events AS r) AS t0 WHERE t0.event = 'a'
 *     SELECT count() FROM events AS r WHERE r.event = 'a'
 *
 * The guard is added after this, so it precedes the SELECT's own conditions as everywhere else.
 */
export const inlineSubqueries = (query: SqlQuery): SqlQuery => mapSelects(query, (select) => inline(select) ?? select)

/** Null for a SELECT that reads anything else, or one with a subquery that uses the alias, which must stay then. */
function inline(select: SqlSelect): SqlSelect | null {
  const [source, ...others] = select.from
  if (source === undefined || others.length > 0) return null
  const { table: reading, alias } = source
  if (reading.kind !== "sqlSelect" || reading.isReading !== true) return null
  const columns = new Map(reading.columns.map((item) => [item.kind === "aliased" ? item.name : "", item]))
  let isNamedInside = false
  const replace = (item: SqlExpression): SqlExpression => {
    if (item.kind === "query") isNamedInside ||= holdsName(item.query, alias)
    if (item.kind !== "column" || item.source !== alias) return mapInner(item, replace)
    const selected = columns.get(item.name)
    if (selected?.kind !== "aliased") throw new Error(`a reading selects no column ${item.name}`)
    return selected.expression
  }
  const own = mapClauses(select, replace)
  if (isNamedInside) return null
  const conditions = [reading.where, own.where].filter((condition) => condition !== null)
  const where = conditions.length === 2 ? sqlCall("and", ...conditions) : (conditions[0] ?? null)
  return { ...own, from: reading.from, where, ...(reading.pushed && { pushed: reading.pushed }) }
}

/** Whether anything in a query is called by this alias. */
const holdsName = (query: SqlQuery, alias: string): boolean =>
  sameText(query).includes(`"source":${JSON.stringify(alias)}`)
