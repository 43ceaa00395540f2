import { queryError } from "../hogql-error.js"
import type { Expression, Placeholder, Query } from "../nodes/nodes.js"
import { replacePlaceholders } from "../nodes/replace-placeholders.js"

/** What may stand for `{name}`: an expression, or a query where a table or a subquery is wanted. */
export type NodeValues = Readonly<Record<string, Expression>>

/**
 * Puts nodes in the place of `{name}` in a query that a program wrote, tables included: `SELECT {value} FROM {source}`.
 *
 * @throws HogqlError for a name without a node
 */
export function fillNodes(query: Query, values: NodeValues): Query {
  const find = ({ expression, at }: Placeholder): Expression => {
    const name = expression.kind === "field" ? expression.chain.join(".") : ""
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw queryError(`Unresolved placeholder: {${name}}`, at)
    return value
  }
  return replacePlaceholders(query, {
    expression: find,
    table: (placeholder) => {
      const value = find(placeholder)
      if (value.kind === "select" || value.kind === "selectSet" || value.kind === "field") return value
      throw queryError("Only a query or the name of a table can be read from.", placeholder.at)
    },
  })
}
