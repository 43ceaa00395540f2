import { queryError } from "../hogql-error.js"
import { call, constant } from "../nodes/make.js"
import type { Expression, Span } from "../nodes/nodes.js"
import { columnName } from "../print/print-hogql.js"
import { sqlCall, sqlNumber } from "../sql/sql.js"
import { resolveExpression } from "./resolve-expression.js"
import type { SelectScope } from "./select-scope.js"
import type { ResolvedColumn } from "./typed.js"

interface Untuple {
  readonly tuple: Expression
  readonly name: string | null
  readonly at: Span
}

/** `untuple(t)` as a column of its own; its name when it has one. Undefined for anything else. */
export function findUntuple(node: Expression): Untuple | undefined {
  if (node.kind === "alias") {
    const inner = findUntuple(node.expression)
    return inner && { ...inner, name: node.name }
  }
  const [tuple, ...others] = node.kind === "call" && node.name === "untuple" ? node.args : []
  return tuple === undefined || others.length > 0 ? undefined : { tuple, name: null, at: node.at }
}

/**
 * A column for each element of a tuple, called `name.1`, `name.2`, … when the whole has a name.
 *
 * @throws HogqlError for a value of which the query does not show how many elements it has
 */
export function resolveUntuple({ tuple, name, at }: Untuple, scope: SelectScope): ResolvedColumn[] {
  const whole = resolveExpression(tuple, scope)
  const { items } = whole.type
  if (items === undefined)
    throw queryError("'untuple' needs a tuple whose elements the query shows, such as (a, b) or tuple(a, b).", at)
  return items.map((item, index) => ({
    name:
      name === null ? columnName(call("tupleElement", [tuple, constant(index + 1)], {}, at)) : `${name}.${index + 1}`,
    sqlName: scope.compilation.freshName("a"),
    typed: { sql: sqlCall("tupleElement", whole.sql, sqlNumber(index + 1)), type: item },
  }))
}
