import { queryError } from "../hogql-error.js"
import type { Compare, Expression } from "../nodes/nodes.js"
import { type SqlExpression, sqlCall, sqlNumber, type } from "../sql/sql.js"
import { cohortMembers } from "./cohort-members.js"
import { adapt, compareTyped } from "./compare.js"
import type { SelectScope } from "./select-scope.js"
import { hint } from "./suggest.js"
import type { Typed } from "./typed.js"

type Resolve = (node: Expression) => Typed

/** `x IN (…)` over a list, a subquery or an array. Never null: the engine runs with `transform_null_in`. */
export function resolveIn(node: Compare, scope: SelectScope, resolve: Resolve): Typed {
  const negated = node.operator === "not in"
  const left = resolve(node.left)
  const wrap = (sql: SqlExpression): Typed => ({ sql: negated ? sqlCall("not", sql) : sql, type: type("Boolean") })
  const { right } = node
  if (right.kind === "select" || right.kind === "selectSet") return wrap(sqlCall("in", left.sql, resolve(right).sql))
  const items =
    right.kind === "tuple" || right.kind === "array" ? right.items : right.kind === "constant" ? [right] : null
  if (items === null) {
    const only = resolve(right)
    // `x IN (f(y))`: one value in brackets is a list of one.
    if (isSingle(only)) return compareTyped(negated ? "!=" : "==", left, only, scope.compilation.scope)
    return wrap(sqlCall("ifNull", sqlCall("has", only.sql, left.sql), sqlNumber(0)))
  }
  if (items.length === 0) return { sql: sqlNumber(negated ? 1 : 0), type: type("Boolean") }
  const adapted = items.map((item) => adapt(resolve(item), left, scope.compilation.scope))
  const subject = adapted.find(([, other]) => other !== left)?.[1] ?? left
  const inList = sqlCall("in", subject.sql, sqlCall("tuple", ...adapted.map(([item]) => item.sql)))
  return wrap(subject.type.nullable ? sqlCall("ifNull", inList, sqlNumber(0)) : inList)
}

const SINGLE: readonly string[] = ["String", "Integer", "Float", "Boolean", "DateTime", "Date", "UUID"]

/** Whether a value cannot be a list. The text of a property without a definition might be that of one. */
const isSingle = ({ type: { name }, property }: Typed): boolean =>
  SINGLE.includes(name) && (property === undefined || name !== "String")

/** `x IN COHORT 5` and `x IN COHORT 'name'`: people of either kind of cohort. */
export function resolveCohort(node: Compare, scope: SelectScope, resolve: Resolve): Typed {
  const { compilation } = scope
  const written = node.right.kind === "constant" ? node.right.value : null
  const known = compilation.scope.cohorts ?? new Map<string, number>()
  const id = typeof written === "string" ? known.get(written) : written
  if (typeof written === "string" && id === undefined) {
    throw queryError(`Could not find cohort with name '${written}'.${hint(written, known.keys())}`, node.right.at)
  }
  if (typeof id !== "number" || !Number.isSafeInteger(id)) {
    throw queryError("IN COHORT needs the id or the name of a cohort.", node.right.at)
  }
  const query = cohortMembers(id, compilation, node.right.at)
  const inside = sqlCall("in", resolve(node.left).sql, { kind: "query", query })
  return { sql: node.operator === "in cohort" ? inside : sqlCall("not", inside), type: type("Boolean") }
}
