import { select } from "../nodes/make.js"
import type { Expression, Select } from "../nodes/nodes.js"
import { NodeTransformer } from "../nodes/transformer.js"
import { findFunction } from "./lookup.js"

/** Whether an expression aggregates rows itself, subqueries apart. */
export function hasAggregate(expression: Expression): boolean {
  const root = select({ columns: [expression] })
  const finder = new AggregateFinder(root)
  finder.query(root)
  return finder.found
}

class AggregateFinder extends NodeTransformer {
  found = false
  private readonly root: Select

  constructor(root: Select) {
    super()
    this.root = root
  }

  protected override change(node: Expression, around: Select | null): Expression {
    if (node.kind === "call" && around === this.root && findFunction(node.name, false)?.isAggregate) this.found = true
    return node
  }
}
