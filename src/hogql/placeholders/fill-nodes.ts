import { queryError } from "../hogql-error.js"
import type { Expression, Placeholder, Query, TableSource } from "../nodes/nodes.js"
import { NodeTransformer } from "../nodes/transformer.js"

/** What may stand for `{name}`: an expression, or a query where a table or a subquery is wanted. */
export type NodeValues = Readonly<Record<string, Expression>>

/**
 * Puts nodes in the place of `{name}` in a query that a program wrote, tables included: `SELECT {value} FROM {source}`.
 * The nodes themselves are not searched, so nothing of what they hold is ever read as a placeholder.
 *
 * @throws HogqlError for a name without a node
 */
export const fillNodes = (query: Query, values: NodeValues): Query => new NodeFiller(values).query(query)

class NodeFiller extends NodeTransformer {
  private readonly values: NodeValues

  constructor(values: NodeValues) {
    super()
    this.values = values
  }

  protected override change(node: Expression): Expression {
    return node.kind === "placeholder" ? this.nodeOf(node) : node
  }

  protected override changeTable(node: TableSource["table"] & { kind: "field" | "placeholder" }): TableSource["table"] {
    if (node.kind === "field") return node
    const value = this.nodeOf(node)
    if (value.kind === "select" || value.kind === "selectSet" || value.kind === "field") return value
    throw queryError("Only a query or the name of a table can be read from.", node.at)
  }

  private nodeOf({ expression, at }: Placeholder): Expression {
    const name = expression.kind === "field" ? expression.chain.join(".") : ""
    const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined
    if (value === undefined) throw queryError(`Unresolved placeholder: {${name}}`, at)
    return value
  }
}
