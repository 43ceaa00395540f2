import { queryError } from "../hogql-error.js"
import { call, constant } from "../nodes/make.js"
import type { Call, Expression } from "../nodes/nodes.js"
import { columnName } from "../print/print-hogql.js"
import { sqlCall, sqlNumber } from "../sql/sql.js"
import { resolveExpression } from "./resolve-expression.js"
import type { SelectScope } from "./select-scope.js"
import type { ResolvedColumn } from "./typed.js"

/** `untuple(t)` as a column of its own; its name when it has one. Undefined for anything else. */
export function untupled(node: Expression): { readonly call: Call; readonly name: string | null } | undefined {
  if (node.kind === "alias") {
    const inner = untupled(node.expression)
    return inner && { ...inner, name: node.name }
  }
  return node.kind === "call" && node.name === "untuple" && node.args.length === 1
    ? { call: node, name: null }
    : undefined
}

/**
 * A column for each element of a tuple, called `name.1`, `name.2`, … when the whole has a name.
 *
 * @throws HogqlError for a value of which the query does not show how many elements it has
 */
export function resolveUntuple({ args, at }: Call, name: string | null, scope: SelectScope): ResolvedColumn[] {
  const argument = args[0] as Expression
  const whole = resolveExpression(argument, scope)
  const { items } = whole.type
  if (items === undefined)
    throw queryError("'untuple' needs a tuple whose elements the query shows, such as (a, b) or tuple(a, b).", at)
  return items.map((item, index) => ({
    name:
      name === null
        ? columnName(call("tupleElement", [argument, constant(index + 1)], {}, at))
        : `${name}.${index + 1}`,
    sqlName: scope.compilation.freshName("a"),
    typed: { sql: sqlCall("tupleElement", whole.sql, sqlNumber(index + 1)), type: item },
  }))
}
