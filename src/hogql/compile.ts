import {
  type CompiledQuery,
  type HogqlQuery,
  type HogqlScope,
  type RowLimit,
  STANDARD_ROW_LIMIT,
} from "./hogql.types.js"
import { HogqlError, queryError } from "./hogql-error.js"
import type { Query } from "./nodes/nodes.js"
import { parse } from "./parse/parse.js"
import { fillPlaceholders } from "./placeholders/fill-placeholders.js"
import { printHogql } from "./print/print-hogql.js"
import { printSql } from "./print/print-sql.js"
import { Compilation, type ResolvedQuery } from "./resolve/compilation.js"
import { resolveQuery } from "./resolve/resolve-query.js"
import { findTable } from "./schema/tables.js"
import { aliased, column, type SqlQuery, sqlSelect } from "./sql/sql.js"
import { checkWrittenSize } from "./sql/written-size.js"
import { askFiltersFirst } from "./transform/filters-first.js"
import { guard, PROJECT_PARAMETER } from "./transform/guard.js"
import { inlineSubqueries } from "./transform/inline-subqueries.js"
import { normaliseGroupKeys } from "./transform/normalise-group-keys.js"
import { readSparesApart } from "./transform/read-spares-apart.js"

/**
 * Compiles a HogQL text for one project.
 *
 * @throws HogqlError (`syntax` or `query`) with the place in the text; nothing else for any input
 */
export async function compile(query: HogqlQuery, scope: HogqlScope): Promise<CompiledQuery> {
  if (typeof query.text !== "string") throw new HogqlError("syntax", "The query must be text.")
  return compileSelect(parse(query.text), scope, query)
}

/**
 * Compiles a query that was built from nodes or parsed before.
 *
 * @throws HogqlError of kind `query`
 */
export function compileSelect(ast: Query, scope: HogqlScope, given: Omit<HogqlQuery, "text"> = {}): CompiledQuery {
  const filled = fillPlaceholders(ast, given, scope)
  const compilation = new Compilation(scope, resolveQuery)
  const resolved = compilation.resolveQuery(filled, null)
  const limited = limitRows(resolved, filled, compilation, scope.rowLimit ?? STANDARD_ROW_LIMIT)
  checkWrittenSize(limited.sql, ast.at)
  const ordered = askFiltersFirst(limited.sql)
  const inlined = scope.inlinesSubqueries === true ? inlineSubqueries(ordered) : ordered
  const printed = printSql(readSparesApart(guard(normaliseGroupKeys(inlined, ast.at))))
  return {
    sql: printed.sql,
    parameters: { ...printed.parameters, [PROJECT_PARAMETER]: scope.projectId },
    columns: resolved.columns.map((item) => item.name),
    hogql: printHogql(filled),
    limit: limited.limit,
    offset: limited.offset,
    exact: limited.exact,
    tables: [...compilation.tables].filter((name) => findTable(name) !== undefined).sort(),
    warnings: compilation.warnings,
    blockRows: compilation.blockRows,
    ast: filled,
  }
}

interface Limited extends Pick<CompiledQuery, "limit" | "offset" | "exact"> {
  readonly sql: SqlQuery
}

/** The outermost row limit: what was written, 100 without, never more than allowed; one row more shows whether there are more. */
function limitRows(resolved: ResolvedQuery, ast: Query, compilation: Compilation, policy: RowLimit): Limited {
  const { sql } = resolved
  if (resolved.columns.length === 0) throw queryError("The query selects no columns.", ast.at)
  if (sql.kind === "sqlSet") return limitSet(resolved, compilation, policy)
  const offset = sql.offset ?? 0
  const written = sql.limit
  if (written !== null && written > policy.maxRows) {
    compilation.warnings.push(`LIMIT ${written} was lowered to ${policy.maxRows}, the most rows a query gives.`)
  }
  const limit = Math.min(written ?? policy.defaultRows, policy.maxRows)
  if (sql.withTies) return { sql: { ...sql, limit }, limit, offset, exact: true }
  return { sql: { ...sql, limit: limit + 1 }, limit, offset, exact: false }
}

function limitSet(resolved: ResolvedQuery, compilation: Compilation, policy: RowLimit): Limited {
  const alias = compilation.freshName("t")
  const limit = policy.defaultRows
  const sql = sqlSelect({
    columns: resolved.columns.map((item) => aliased(column(alias, item.sqlName), compilation.freshName("a"))),
    from: [{ table: resolved.sql, alias, join: null, on: null }],
    limit: limit + 1,
  })
  return { sql, limit, offset: 0, exact: false }
}
