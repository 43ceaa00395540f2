import { queryError } from "../hogql-error.js"
import type { CommonTable, Span } from "../nodes/nodes.js"
import { aliased, column, sqlSelect } from "../sql/sql.js"
import type { Compilation, ResolvedQuery } from "./compilation.js"
import type { Environment } from "./environment.js"

/** Resolves the query of a WITH item where it is read, with the names of the items before it. */
export function resolveCommonTable(
  item: CommonTable,
  outer: Environment | null,
  compilation: Compilation,
): ResolvedQuery {
  return item.isRecursive && item.query.kind === "selectSet"
    ? resolveRecursive(item, outer, compilation)
    : withNames(compilation.resolveQuery(item.query, outer), item.columns, item.at)
}

/** The columns under the names given behind an alias. */
export function withNames(resolved: ResolvedQuery, names: readonly string[] | null, at: Span): ResolvedQuery {
  if (names === null) return resolved
  if (names.length !== resolved.columns.length)
    throw queryError(`${names.length} names were given to ${resolved.columns.length} columns.`, at)
  return {
    ...resolved,
    columns: resolved.columns.map((item, index) => ({ ...item, name: names[index] ?? item.name })),
  }
}

/**
 * WITH RECURSIVE: the first SELECT gives the rows to begin with, and the others read the rows that were added last, until there
 * are no new ones. In SQL it becomes `WITH RECURSIVE r0 AS (…) SELECT … FROM r0` in the place where the item is read.
 */
function resolveRecursive(item: CommonTable, outer: Environment | null, compilation: Compilation): ResolvedQuery {
  const { query, at } = item
  if (query.kind !== "selectSet") throw new Error("only a UNION can read itself")
  if (query.rest.some(({ operator }) => operator !== "UNION ALL"))
    throw queryError("WITH RECURSIVE needs UNION ALL between its SELECTs.", at)
  const begin = withNames(compilation.resolveQuery(query.first, outer), item.columns, at)
  const sqlName = compilation.freshName("r")
  // A later SELECT may give null where the first one cannot.
  const columns = begin.columns.map((own) => ({
    ...own,
    typed: { sql: own.typed.sql, type: { ...own.typed.type, nullable: true } },
  }))
  const within: Environment = { item: { kind: "ownRows", name: item.name, sqlName, columns }, outer, siblings: [] }
  const rest = query.rest.map((part) => compilation.resolveQuery(part.query, within))
  if (rest.some((part) => part.columns.length !== columns.length))
    throw queryError("The SELECTs of a UNION, INTERSECT or EXCEPT must have the same number of columns.", at)
  const alias = compilation.freshName("t")
  const shown = columns.map((own) => ({ ...own, sqlName: compilation.freshName("a") }))
  const whole = {
    kind: "sqlSet" as const,
    first: begin.sql,
    rest: rest.map(({ sql }) => ({ operator: "UNION ALL", query: sql })),
  }
  const sql = sqlSelect({
    recursive: { name: sqlName, query: whole },
    columns: columns.map((own, index) => aliased(column(alias, own.sqlName), shown[index]?.sqlName ?? own.sqlName)),
    from: [{ table: { kind: "recursiveTable", name: sqlName }, alias, join: null, on: null }],
  })
  return { sql, columns: shown }
}
