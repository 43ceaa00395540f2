import { sameText } from "../nodes/same-text.js"
import { mapClauses, mapInner, mapSelects } from "../sql/map-queries.js"
import { type SqlExpression, type SqlQuery, type SqlSelect, sqlCall } from "../sql/sql.js"

/**
 * Subquery inlining: a SELECT over the reading of one stored table, and nothing else, reads that table itself, with what
 * the reading selects in the place of its names. The engine plans one SELECT less (decision 0033):
 *
 *     SELECT count() FROM (SELECT r.event AS event FROM events AS r) AS t0 WHERE t0.event = 'a'
 *     SELECT count() FROM events AS r WHERE r.event = 'a'
 *
 * The guard comes after this and stands, as everywhere, in front of all that the SELECT's own WHERE says.
 */
export const inlineSubqueries = (query: SqlQuery): SqlQuery => mapSelects(query, (select) => inline(select) ?? select)

/** Null for a SELECT that reads anything else, or of which a subquery names the reading: its names must stay then. */
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
  return { ...own, from: reading.from, where }
}

/** Whether anything in a query is called by this alias. */
const holdsName = (query: SqlQuery, alias: string): boolean =>
  sameText(query).includes(`"source":${JSON.stringify(alias)}`)
