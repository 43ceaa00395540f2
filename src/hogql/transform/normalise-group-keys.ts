import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { sameText } from "../nodes/same-text.js"
import { mapClauses, mapInner, mapSelects } from "../sql/map-queries.js"
import {
  aliased,
  column,
  type SqlExpression,
  type SqlQuery,
  type SqlSelect,
  sqlCall,
  sqlNumber,
  sqlSelect,
} from "../sql/sql.js"

/**
 * Works around a limit of ClickHouse (26.7). In `SELECT f(x) … GROUP BY f(x)` it must recognise the column as the key, and does
 * not when `f(x)` holds `x IN (SELECT …)` whose SELECT has an ARRAY JOIN. Such a list is written as a scalar subquery instead,
 * which is evaluated before columns and keys are compared:
 *
 *     x IN (SELECT a FROM t ARRAY JOIN b AS a)
 *     x IN (SELECT arrayJoin((SELECT groupArray(tuple(a)) FROM (SELECT a FROM t ARRAY JOIN b AS a))).1)
 *
 * A key with a WITH RECURSIVE inside is recognised in neither form, so it is refused.
 *
 * @throws HogqlError, with the place of the whole query, for a column that is such a key
 */
export function normaliseGroupKeys(query: SqlQuery, at: Span): SqlQuery {
  return mapSelects(query, (select) => {
    const keys = listGroupKeys(select)
    if (showsRecursiveKey(select, keys)) throw queryError(RECURSIVE_KEY, at)
    if (!keys.some(holdsArrayJoin)) return select
    const { where, arrayJoin } = select
    return { ...mapClauses(select, normalise), where, arrayJoin }
  })
}

/** What the rows are grouped by: expressions, and columns by their names. */
function listGroupKeys({ columns, groupBy, groupMode }: SqlSelect): readonly SqlExpression[] {
  if (groupMode === "all") return columns
  const named = groupBy
    .flatMap((item) => [item, ...listParts(item)])
    .map((item) => (item.kind === "column" && item.source === null ? item.name : ""))
  return [...groupBy, ...columns.filter((item) => item.kind === "aliased" && named.includes(item.name))]
}

const RECURSIVE_KEY =
  "A column that rows are grouped by cannot hold IN (WITH RECURSIVE …): work it out in a subquery, and group its rows."

function showsRecursiveKey({ columns }: SqlSelect, groupKeys: readonly SqlExpression[]): boolean {
  const keys = groupKeys.filter(holdsRecursive)
  if (keys.length === 0) return false
  const texts = keys.map((key) => sameText(key.kind === "aliased" ? key.expression : key))
  return columns.some((item) => item.kind === "aliased" && texts.includes(sameText(item.expression)))
}

/** Whether an expression is or contains `x IN (SELECT …)` over such a SELECT. */
const holdsMembership = (item: SqlExpression, isSo: (select: SqlSelect) => boolean): boolean =>
  (isMembership(item) && someSelect(item.args[1].query, isSo)) ||
  listParts(item).some((part) => holdsMembership(part, isSo))

const holdsRecursive = (item: SqlExpression): boolean => holdsMembership(item, ({ recursive }) => recursive !== null)
const holdsArrayJoin = (item: SqlExpression): boolean => holdsMembership(item, hasArrayJoin)
const hasArrayJoin = ({ arrayJoin }: SqlSelect): boolean => arrayJoin !== null

/** What an expression is made of, subqueries apart. */
function listParts(item: SqlExpression): readonly SqlExpression[] {
  if (item.kind === "call") return item.args
  if (item.kind === "aliased") return [item.expression]
  return item.kind === "lambda" ? [item.body] : []
}

type Membership = SqlExpression & {
  readonly kind: "call"
  readonly args: readonly [SqlExpression, SqlExpression & { kind: "query" }]
}

const isMembership = (item: SqlExpression): item is Membership =>
  item.kind === "call" && item.name === "in" && item.args[1]?.kind === "query"

function someSelect(query: SqlQuery, isSo: (select: SqlSelect) => boolean): boolean {
  let found = false
  mapSelects(query, (select) => {
    found ||= isSo(select)
    return select
  })
  return found
}

function normalise(item: SqlExpression): SqlExpression {
  if (item.kind === "window") return item
  if (!isMembership(item) || !someSelect(item.args[1].query, hasArrayJoin)) return mapInner(item, normalise)
  const [value, list] = item.args
  return sqlCall("in", normalise(value), { kind: "query", query: toScalar(list.query) })
}

/** The rows of a query as a scalar: one array of them all. Its items are tuples, because `groupArray` skips plain nulls. */
function toScalar(query: SqlQuery): SqlQuery {
  const names = listColumnNames(query)
  const row = sqlCall("tuple", ...names.map((name) => column("q", name)))
  const rows = sqlSelect({
    columns: [sqlCall("groupArray", row)],
    from: [{ table: query, alias: "q", join: null, on: null }],
  })
  const each = aliased(sqlCall("arrayJoin", { kind: "query", query: rows }), "q_row")
  const columns = names.map((_, index) =>
    sqlCall("tupleElement", index === 0 ? each : column(null, "q_row"), sqlNumber(index + 1)),
  )
  return sqlSelect({ columns })
}

function listColumnNames(query: SqlQuery): string[] {
  if (query.kind === "sqlSet") return listColumnNames(query.first)
  return query.columns.map((item) => {
    if (item.kind === "aliased" || item.kind === "column") return item.name
    throw new Error("columns of a subquery have names")
  })
}
