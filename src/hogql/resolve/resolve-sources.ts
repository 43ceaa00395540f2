import { queryError } from "../hogql-error.js"
import { field } from "../nodes/make.js"
import type { Field, JoinOperator, Span, TableSource } from "../nodes/nodes.js"
import { COHORT_PEOPLE } from "../schema/cohorts.js"
import { findTable, TABLES } from "../schema/tables.js"
import { type SqlExpression, type SqlSource, sqlCall, sqlJoin } from "../sql/sql.js"
import { hint } from "../suggest.js"
import { cohortPeople } from "./cohort-members.js"
import { ColumnsRelation } from "./columns-relation.js"
import { resolveCommonTable, withNames } from "./common-tables.js"
import { equalForJoin } from "./compare.js"
import { findCommon, findSibling, inside } from "./environment.js"
import { givenRows } from "./given-rows.js"
import { resolveNumbers } from "./number-tables.js"
import type { Relation } from "./relation.js"
import { resolveExpression } from "./resolve-expression.js"
import { sampleCondition } from "./sample.js"
import type { MergedColumn, SelectScope } from "./select-scope.js"
import { TableRelation } from "./table-relation.js"
import type { Typed } from "./typed.js"

/** Resolves a FROM into the scope. Call the answer once the rest of the SELECT is resolved: columns are known then. */
export function resolveSources(sources: readonly TableSource[], scope: SelectScope): () => SqlSource[] {
  scope.clause = "on"
  const joined = sources.map((source) => {
    const relation = resolveTable(source, scope)
    scope.addRelation(relation, source.at)
    return { relation, join: source.join, on: resolveCondition(source, relation, scope), at: source.at }
  })
  scope.clause = "columns"
  return () =>
    joined.map(({ relation, join, on, at }) => ({
      table: relation.toTable(),
      alias: relation.alias,
      ...joinClause(join, on, at),
    }))
}

function joinClause(
  join: JoinOperator | null,
  on: SqlExpression | null,
  at: TableSource["at"],
): Pick<SqlSource, "join" | "on"> {
  if (join === null) return { join: null, on: null }
  if (join.type === "CROSS") {
    if (on !== null) throw queryError("CROSS JOIN does not take a condition.", at)
    return { join: "CROSS JOIN", on: null }
  }
  if (on === null) throw queryError(`${join.type} JOIN needs a condition: ON or USING.`, at)
  const strictness = join.strictness === null ? "" : ` ${join.strictness}`
  return { join: `${join.type}${strictness} JOIN`, on }
}

function resolveTable(source: TableSource, scope: SelectScope): Relation {
  const { compilation } = scope
  const { table, alias } = source
  if (source.sample !== null && (table.kind !== "field" || source.args !== null))
    throw queryError("SAMPLE stands behind a table.", source.at)
  if (table.kind === "placeholder") throw queryError("A placeholder cannot name a table.", table.at)
  if (table.kind !== "field") {
    const { columns, sql } = withNames(compilation.resolveQuery(table, scope.environment), source.columns, source.at)
    return new ColumnsRelation(columns, sql, compilation, alias)
  }
  const name = table.chain.join(".")
  if (source.args !== null || isNumbers(name, source, scope)) return resolveNumbers(name, source, scope)
  const isPlain = table.chain.length === 1
  const definition = findTable(name)
  const common = isPlain
    ? (findCommon(scope.environment, "table", name) ??
      (definition === undefined ? findSibling(scope.environment, name) : undefined))
    : undefined
  if (common !== undefined && source.sample !== null) throw queryError("SAMPLE stands behind a table.", source.at)
  if (common?.item.kind === "ownRows") {
    const { columns, sqlName } = common.item
    return new ColumnsRelation(columns, { kind: "recursiveTable", name: sqlName }, compilation, alias ?? name)
  }
  if (common?.item.kind === "commonTable") {
    compilation.countExpansion(source.at)
    const resolved = resolveCommonTable(common.item, inside(common), compilation)
    const { columns, sql } = withNames(resolved, source.columns, source.at)
    return new ColumnsRelation(columns, sql, compilation, alias ?? name)
  }
  if (source.columns !== null) throw queryError("Only columns of a subquery can be given names here.", source.at)
  if (definition === undefined) throw unknownTable(table)
  const shown = alias ?? String(table.chain.at(-1))
  const where = sampleCondition(source.sample, definition, source.at)
  const people = definition === COHORT_PEOPLE ? cohortPeople(compilation, shown, source.at) : null
  const rows = definition.isGiven === true ? givenRows(definition.name, compilation, source.at) : undefined
  const options = { name: shown, where, ...(rows && { rows }) }
  return people ?? new TableRelation(definition, compilation, compilation.freshName("t"), options)
}

/** `numbers` without brackets is a table function without its arguments, unless a WITH names something so. */
const isNumbers = (name: string, source: TableSource, scope: SelectScope): boolean =>
  name === "numbers" && source.args === null && findCommon(scope.environment, "table", name) === undefined

function unknownTable(table: Field): Error {
  const name = table.chain.join(".")
  return queryError(
    `Unknown table "${name}".${hint(
      name,
      TABLES.map((known) => known.name),
    )}`,
    table.at,
  )
}

function resolveCondition(source: TableSource, relation: Relation, scope: SelectScope): SqlExpression | null {
  if (source.on !== null) return resolveExpression(source.on, scope).sql
  if (source.using === null) return null
  const others = scope.relations.filter((other) => other !== relation)
  const conditions = source.using.map((item) => {
    const chain = item.kind === "field" ? item.chain : []
    const [name] = chain
    const known = chain.length === 1 ? scope.merged.get(String(name)) : undefined
    const first = others.find((other) => other.resolve(chain, item.at) !== null)
    const left = known === undefined ? first?.resolve(chain, item.at) : sharedValue(known, chain, item.at)
    const right = relation.resolve(chain, item.at)
    if (left == null || right === null || first === undefined) {
      throw queryError(`Unable to resolve field: ${field(chain).chain.join(".")}`, item.at)
    }
    if (typeof name === "string" && chain.length === 1)
      merge(name, { first: known?.relation ?? first, relation, left, right })
    return equalForJoin(left, right, scope.compilation.scope).sql
  })
  return sqlJoin("and", conditions)

  /** Of a FULL JOIN neither side has the value of every row, of a RIGHT JOIN the right one alone. */
  function merge(name: string, { first, relation, left, right }: UsedColumn): void {
    if (source.join?.type === "FULL") scope.merged.set(name, { relation: first, value: mergeSides(left, right) })
    else if (source.join?.type === "RIGHT") scope.merged.set(name, { relation, value: null })
    else if (!scope.merged.has(name)) scope.merged.set(name, { relation: first, value: null })
  }
}

const sharedValue = ({ relation, value }: MergedColumn, chain: Field["chain"], at: Span): Typed | null =>
  value ?? relation.resolve(chain, at)

interface UsedColumn {
  readonly first: Relation
  readonly relation: Relation
  readonly left: Typed
  readonly right: Typed
}

/**
 * The value that both sides have, or the one that has it. A side without a row has null in columns that may hold it and
 * "" or 0 in others (`join_use_nulls` = 0); where the left one has that, the right one has the same or what is looked for.
 */
function mergeSides(left: Typed, right: Typed): Typed {
  const isMissing = sqlCall("equals", left.sql, sqlCall("defaultValueOfArgumentType", left.sql))
  const plain = sqlCall("if", isMissing, right.sql, left.sql)
  const sql = sqlCall("if", sqlCall("isNullable", left.sql), sqlCall("ifNull", left.sql, right.sql), plain)
  const name = left.type.name === right.type.name ? left.type.name : "Unknown"
  return { sql, type: { name, nullable: left.type.nullable || right.type.nullable } }
}
