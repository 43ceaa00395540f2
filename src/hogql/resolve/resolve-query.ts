import { RE2JS } from "re2js"
import { queryError } from "../hogql-error.js"
import type { AllColumns, Expression, OrderItem, Query, Select, SelectSet } from "../nodes/nodes.js"
import { columnName } from "../print/print-hogql.js"
import {
  aliased,
  column,
  type SqlExpression,
  type SqlOrder,
  type SqlQuery,
  type SqlSelect,
  sqlCall,
  sqlJoin,
  sqlSelect,
  trusted,
  type,
} from "../sql/sql.js"
import type { Compilation, ResolvedQuery } from "./compilation.js"
import { type Environment, extend } from "./environment.js"
import { resolveAlias } from "./fields.js"
import type { Relation } from "./relation.js"
import { resolveExpression, resolveWindow } from "./resolve-expression.js"
import { resolveSources } from "./resolve-sources.js"
import { rowCount } from "./row-count.js"
import { type Clause, SelectScope } from "./select-scope.js"
import type { ResolvedColumn } from "./typed.js"
import { findUntuple, resolveUntuple } from "./untuple.js"
import { completeWindow } from "./windows.js"

/** Resolves a query against the schema: names to columns, functions to the engine's, tables to guarded reads. */
export function resolveQuery(compilation: Compilation, query: Query, environment: Environment | null): ResolvedQuery {
  return query.kind === "select"
    ? resolveSelect(compilation, query, environment)
    : resolveSet(compilation, query, environment)
}

function resolveSet(compilation: Compilation, set: SelectSet, environment: Environment | null): ResolvedQuery {
  // Items of the first SELECT's WITH are seen by the others, as the grammar has no WITH for the whole.
  const shared = set.first.kind === "select" ? extend(environment, set.first.with) : environment
  const first = resolveQuery(compilation, set.first, environment)
  const others = set.rest.map((item) => ({
    operator: item.operator,
    resolved: resolveQuery(compilation, item.query, shared),
  }))
  if (others.some(({ operator }) => isByName(operator))) return resolveByName(first, others, set, compilation)
  return resolveByPlace(first, others, set)
}

function resolveByPlace(first: ResolvedQuery, others: readonly Operand[], set: SelectSet): ResolvedQuery {
  for (const { resolved } of others) {
    if (resolved.columns.length !== first.columns.length) {
      throw queryError("The SELECTs of a UNION, INTERSECT or EXCEPT must have the same number of columns.", set.at)
    }
  }
  const columns = first.columns.map((item, index) => {
    const same = others.every(({ resolved }) => resolved.columns[index]?.typed.type.name === item.typed.type.name)
    return same ? item : { ...item, typed: { sql: item.typed.sql, type: { name: "Unknown" as const, nullable: true } } }
  })
  return { sql: combine(first, others), columns }
}

const isByName = (operator: string): boolean => operator.endsWith("BY NAME")

/** UNION BY NAME: each SELECT gives the columns of all of them, those that it has not as null. */
function resolveByName(
  first: ResolvedQuery,
  others: readonly Operand[],
  set: SelectSet,
  compilation: Compilation,
): ResolvedQuery {
  if (!others.every(({ operator }) => isByName(operator)))
    throw queryError("BY NAME stands behind each UNION of a query or behind none: put brackets around a part.", set.at)
  const members = [first, ...others.map(({ resolved }) => resolved)]
  const names = [...new Set(members.flatMap(({ columns }) => columns.map(({ name }) => name)))]
  const twice = members.find(({ columns }) => new Set(columns.map(({ name }) => name)).size < columns.length)
  if (twice !== undefined) throw queryError("BY NAME needs columns of different names in each SELECT.", set.at)
  const named = (member: ResolvedQuery) => nameColumns(member, names, compilation)
  const head = named(first)
  const operands = others.map(({ operator, resolved }) => ({
    operator: operator.replace(" BY NAME", ""),
    resolved: named(resolved),
  }))
  return resolveByPlace(head, operands, set)
}

function nameColumns({ sql, columns }: ResolvedQuery, names: readonly string[], compilation: Compilation) {
  const alias = compilation.freshName("t")
  const named = names.map((name): ResolvedColumn => {
    const found = columns.find((item) => item.name === name)
    const typed = found
      ? { sql: column(alias, found.sqlName), type: found.typed.type }
      : { sql: trusted("NULL"), type: type("Null", true) }
    return { name, sqlName: compilation.freshName("a"), typed }
  })
  const select = sqlSelect({
    columns: named.map(({ typed, sqlName }) => aliased(typed.sql, sqlName)),
    from: [{ table: sql, alias, join: null, on: null }],
  })
  return { sql: select, columns: named }
}

interface Operand {
  readonly operator: string
  readonly resolved: ResolvedQuery
}

/** INTERSECT binds tighter than the others, which lean left. */
function combine(first: ResolvedQuery, others: readonly Operand[]): SqlQuery {
  const both = (left: SqlQuery, operator: string, right: SqlQuery): SqlQuery => ({
    kind: "sqlSet",
    first: left,
    rest: [{ operator, query: right }],
  })
  let result: SqlQuery | null = null
  let operator = ""
  let operand = first.sql
  for (const other of others) {
    if (other.operator.startsWith("INTERSECT")) {
      operand = both(operand, other.operator, other.resolved.sql)
      continue
    }
    result = result === null ? operand : both(result, operator, operand)
    operator = other.operator
    operand = other.resolved.sql
  }
  return result === null ? operand : both(result, operator, operand)
}

function resolveSelect(compilation: Compilation, select: Select, outer: Environment | null): ResolvedQuery {
  compilation.countSelect(select.at)
  const scope = new SelectScope(compilation, extend(outer, select.with))
  const sources = resolveSources(select.from, scope)
  const arrayJoin = resolveArrayJoin(select, scope)
  const items = select.columns.flatMap(withoutLists)
  declareAliases(items, scope)
  for (const [name, window] of select.windows) {
    const whole = completeWindow(window, scope.windows)
    scope.windows.set(name, whole)
    resolveWindow(whole, scope)
  }
  const columns = items.flatMap((node) => resolveColumn(node, scope))
  const inClause = (clause: Clause, node: Expression | null): SqlExpression | null => {
    if (node === null) return null
    scope.clause = clause
    return resolveExpression(node, scope).sql
  }
  const where = [inClause("where", select.prewhere), inClause("where", select.where)].filter((item) => item !== null)
  scope.clause = "group"
  const group = (node: Expression) => byPosition(node, columns) ?? resolveExpression(node, scope).sql
  const groupBy = select.groupBy.map((node) =>
    select.groupMode === "sets" && node.kind === "tuple" ? sqlCall("tuple", ...node.items.map(group)) : group(node),
  )
  const having = inClause("having", select.having)
  const qualify = inClause("having", select.qualify)
  scope.clause = "order"
  const orderBy = select.orderBy.map((item) => resolveOrder(item, columns, scope))
  const limitBy = select.limitBy && {
    count: rowCount(select.limitBy.count),
    offset: select.limitBy.offset === null ? 0 : rowCount(select.limitBy.offset),
    by: select.limitBy.by.map((node) => byPosition(node, columns) ?? resolveExpression(node, scope).sql),
  }
  const sql: SqlSelect = sqlSelect({
    columns: columns.map((item) => aliased(item.typed.sql, item.sqlName)),
    distinct: select.distinct,
    from: sources(),
    arrayJoin,
    where: where.length === 0 ? null : sqlJoin("and", where),
    groupBy,
    groupMode: select.groupMode,
    having,
    qualify,
    orderBy,
    limitBy,
    limit: select.limit === null ? null : rowCount(select.limit),
    offset: select.offset === null ? null : rowCount(select.offset),
    withTies: select.withTies,
  })
  return { sql, columns: hasSubtotals(select) ? columns.map(orNull) : columns }
}

/** Rows that add others up have null where a group's value would stand. */
const hasSubtotals = ({ groupMode }: Select): boolean => groupMode !== null && groupMode !== "all"

const orNull = (item: ResolvedColumn): ResolvedColumn => ({
  ...item,
  typed: { ...item.typed, type: { ...item.typed.type, nullable: true } },
})

function resolveArrayJoin(select: Select, scope: SelectScope): SqlSelect["arrayJoin"] {
  if (select.arrayJoin === null) return null
  if (select.from.length === 0) throw queryError("Using ARRAY JOIN without a FROM clause is not permitted", select.at)
  const items = select.arrayJoin.items.map((item) => {
    if (item.kind !== "alias") throw queryError("ARRAY JOIN arrays must have an alias", item.at)
    return resolveExpression(item, scope).sql
  })
  for (const entry of scope.aliases.values()) {
    if (entry.typed) entry.typed = { sql: entry.typed.sql, type: { name: "Unknown", nullable: true } }
  }
  return { left: select.arrayJoin.left, items }
}

/** `COLUMNS(a, b)` selects what is in its list. */
const withoutLists = (node: Expression): readonly Expression[] =>
  node.kind === "columnList" ? node.items.flatMap(withoutLists) : [node]

function declareAliases(columns: readonly Expression[], scope: SelectScope): void {
  for (const node of columns) {
    if (node.kind !== "alias" || findUntuple(node) !== undefined) continue
    if (scope.aliases.has(node.name)) throw queryError(`Cannot redefine an alias with the name: ${node.name}`, node.at)
    const sqlName = scope.compilation.freshName("a")
    scope.aliases.set(node.name, { node, sqlName, state: "new", typed: null, holdsAggregate: false })
  }
}

function resolveColumn(node: Expression, scope: SelectScope): ResolvedColumn[] {
  scope.clause = "columns"
  const star = resolveStar(node, scope)
  if (star !== null) return star
  const untuple = findUntuple(node)
  if (untuple !== undefined) return resolveUntuple(untuple, scope)
  if (node.kind === "alias") {
    const entry = scope.aliases.get(node.name)
    if (entry === undefined) throw new Error("aliases are declared before columns are resolved")
    return [{ name: node.name, sqlName: entry.sqlName, typed: resolveAlias(entry, scope, resolveExpression) }]
  }
  return [{ name: columnName(node), sqlName: scope.compilation.freshName("a"), typed: resolveExpression(node, scope) }]
}

/** `*`, `e.*`, `* EXCLUDE (…)` and `COLUMNS('…')`; null for anything else. */
function resolveStar(node: Expression, scope: SelectScope): ResolvedColumn[] | null {
  const isStar = node.kind === "field" && node.chain[node.chain.length - 1] === "*"
  if (!isStar && node.kind !== "allColumns") return null
  const tableName = node.kind === "field" && node.chain.length === 2 ? node.chain[0] : null
  if (node.kind === "field" && node.chain.length > 2) throw queryError("* is not possible here.", node.at)
  const relations = scope.relations.filter((relation) => tableName === null || relation.name === tableName)
  if (relations.length === 0) {
    throw queryError(tableName === null ? "SELECT * needs a FROM." : `Unknown table "${tableName}".`, node.at)
  }
  const isShown = node.kind === "allColumns" ? shownBy(node) : () => true
  const merged = ({ name }: ResolvedColumn) => (tableName === null ? scope.merged.get(name) : undefined)
  const isOnce = (item: ResolvedColumn, relation: Relation) => (merged(item)?.relation ?? relation) === relation
  const shown = relations
    .flatMap((relation) => relation.allColumns().filter((item) => isOnce(item, relation)))
    .map((item) => ({ ...item, typed: merged(item)?.value ?? item.typed }))
    .filter((item) => isShown(item.name))
  if (shown.length === 0) throw queryError("No column is left to be selected.", node.at)
  return shown.map((item) => ({ ...item, sqlName: scope.compilation.freshName("a") }))
}

const MAX_PATTERN_LENGTH = 1000

/** Which columns of a table are selected. Names are fit to a pattern in linear time, as a query may give them any name. */
function shownBy({ exclude, pattern, at }: AllColumns): (name: string) => boolean {
  if (pattern === null) return (name) => !exclude.includes(name)
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw queryError(`A pattern of COLUMNS(…) has at most ${MAX_PATTERN_LENGTH} characters.`, at)
  try {
    const fits = RE2JS.compile(pattern)
    return (name) => fits.matcher(name).find()
  } catch {
    throw queryError("COLUMNS(…) takes a regular expression, without look-around and back-references.", at)
  }
}

/** `GROUP BY 1` and `ORDER BY 1` mean the first column. */
function byPosition(node: Expression, columns: readonly ResolvedColumn[]): SqlExpression | null {
  if (node.kind !== "constant" || typeof node.value !== "number") return null
  const found = columns[node.value - 1]
  if (found === undefined) throw queryError(`There is no column ${node.value} to group or order by.`, node.at)
  return column(null, found.sqlName)
}

function resolveOrder(item: OrderItem, columns: readonly ResolvedColumn[], scope: SelectScope): SqlOrder {
  const expression = byPosition(item.expression, columns) ?? resolveExpression(item.expression, scope).sql
  return { expression, descending: item.descending, nulls: item.nulls }
}
