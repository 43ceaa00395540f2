import { queryError } from "../hogql-error.js"
import { field, select, source } from "../nodes/make.js"
import type { Compare, Expression } from "../nodes/nodes.js"
import { type SqlExpression, sqlCall, sqlJoin, sqlNumber, type } from "../sql/sql.js"
import { hint } from "../suggest.js"
import { cohortMembers } from "./cohort-members.js"
import { adapt, compareTyped } from "./compare.js"
import { findCommon } from "./environment.js"
import type { SelectScope } from "./select-scope.js"
import type { Typed } from "./typed.js"

type Resolve = (node: Expression) => Typed

/** `x IN (…)` over a list, a subquery or an array. Never null: the engine runs with `transform_null_in`. */
export function resolveIn(node: Compare, scope: SelectScope, resolve: Resolve): Typed {
  const negated = node.operator === "not in"
  const left = resolve(node.left)
  const wrap = (sql: SqlExpression): Typed => ({ sql: negated ? sqlCall("not", sql) : sql, type: type("Boolean") })
  const right = asQuery(node.right, scope)
  if (right.kind === "select" || right.kind === "selectSet") return wrap(sqlCall("in", left.sql, resolve(right).sql))
  const items = listItems(right)
  if (items === null) {
    const only = resolve(right)
    // `x IN (f(y))`: one value in brackets is a list of one.
    if (isSingle(only)) return compareTyped(negated ? "!=" : "==", left, only, scope.compilation.scope)
    return wrap(sqlCall("ifNull", sqlCall("has", only.sql, left.sql), sqlNumber(0)))
  }
  if (items.length === 0) return { sql: sqlNumber(negated ? 1 : 0), type: type("Boolean") }
  const listed = items.map((item) => {
    const written = resolve(item)
    const [adapted, subject] = adapt(written, left, scope.compilation.scope)
    return { written, item: adapted, subject }
  })
  const lists = [...new Set([left, ...listed.map(({ subject }) => subject)])].flatMap((subject) => {
    const own = listed.filter((item) => item.subject === subject)
    return own.length === 0 ? [] : [inList(subject, own)]
  })
  return wrap(sqlJoin("or", lists))
}

/** What a list holds that is written out: `(a, b)`, `[a, b]`, the same as a call, or a single constant. */
function listItems(node: Expression): readonly Expression[] | null {
  if (node.kind === "constant") return [node]
  if (node.kind === "tuple" || node.kind === "array") return node.items
  return node.kind === "call" && (node.name === "tuple" || node.name === "array") ? node.args : null
}

/** `x IN latest` searches the rows of a WITH table of that name, unless a column, alias or argument has the name. */
function asQuery(right: Expression, scope: SelectScope): Expression {
  const [name, ...rest] = right.kind === "field" ? right.chain : []
  if (typeof name !== "string" || rest.length > 0 || name === "*") return right
  const isValue = scope.aliases.has(name) || scope.findLambdaArg(name) !== undefined
  if (isValue || findCommon(scope.environment, "table", name) === undefined) return right
  if (scope.relations.some((relation) => relation.resolve([name], right.at) !== null)) return right
  return select({ at: right.at, columns: [field(["*"], right.at)], from: [source(field([name], right.at))] })
}

/** `IN` over the items that are compared with one form of the left side: a property is text beside texts, a number beside numbers. */
function inList(subject: Typed, items: readonly { readonly item: Typed; readonly written: Typed }[]): SqlExpression {
  const found = sqlCall("in", subject.sql, sqlCall("tuple", ...items.map(({ item }) => item.sql)))
  if (!subject.type.nullable) return found
  // A text item that is not a number becomes NULL beside numbers, and must not match rows without a value.
  const mayLoseItems = items.some(({ item, written }) => item.type.nullable && !written.type.nullable)
  const hasNull = items.some(({ written }) => written.type.nullable)
  const known = mayLoseItems && !hasNull ? sqlCall("and", sqlCall("isNotNull", subject.sql), found) : found
  return sqlCall("ifNull", known, sqlNumber(0))
}

const SINGLE: readonly string[] = ["String", "Integer", "Float", "Boolean", "DateTime", "Date", "UUID"]

/** Whether a value is certainly no list. The text of a property without a definition may be the JSON of one. */
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
