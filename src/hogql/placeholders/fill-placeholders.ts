import type { HogqlQuery, HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { array, constant } from "../nodes/make.js"
import type { Expression, Placeholder, Query, Select, Span } from "../nodes/nodes.js"
import { placeAt } from "../nodes/place.js"
import { replacePlaceholders } from "../nodes/replace-placeholders.js"
import { hint } from "../suggest.js"
import { dateBound } from "./dates.js"
import { filterCondition } from "./filters.js"
import { variableValues } from "./variables.js"

/** What a text comes with. */
type Given = Omit<HogqlQuery, "text">

/**
 * Puts values in the place of `{…}` (`docs/contract/queries.md#hogql-placeholders`): `{filters}`,
 * `{filters.dateRange.from}`, `{variables.name}`, `{name}`. Values become constants of the tree, so nothing of them is
 * ever read as HogQL or SQL.
 *
 * @throws HogqlError for a placeholder without a value
 */
export const fillPlaceholders = (query: Query, given: Given, scope: HogqlScope): Query =>
  replacePlaceholders(query, {
    expression: (placeholder, around) => placeAt(toValue(placeholder, around, given, scope), placeholder.at),
    table: (placeholder) => placeholder,
  })

function toValue({ expression, at }: Placeholder, around: Select | null, given: Given, scope: HogqlScope): Expression {
  if (expression.kind !== "field") throw queryError("A placeholder must be a name, such as {filters}.", at)
  const chain = expression.chain.map(String)
  const [first = "", ...rest] = chain
  if (first === "filters") return fillFilters(rest, at, around, given, scope)
  if (first === "variables") return fillVariable(rest, at, given)
  let value: unknown = given.values ?? {}
  for (const part of chain) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part))
      throw queryError(`Unresolved placeholder: {${chain.join(".")}}`, at)
    value = Reflect.get(value, part)
  }
  return toExpression(value, at)
}

function fillFilters(
  rest: readonly string[],
  at: Span,
  around: Select | null,
  { filters }: Given,
  scope: HogqlScope,
): Expression {
  if (rest.length === 0) return filterCondition(filters ?? {}, around, scope, at)
  const [group, end] = rest
  if (rest.length === 2 && group === "dateRange" && (end === "from" || end === "to")) {
    const written = end === "from" ? filters?.dateRange?.date_from : filters?.dateRange?.date_to
    return (written ? dateBound(written, at, scope) : null) ?? constant(null)
  }
  throw queryError(`Unresolved placeholder: {filters.${rest.join(".")}}`, at)
}

function fillVariable(rest: readonly string[], at: Span, given: Given): Expression {
  const values = variableValues(given.variables ?? {})
  const name = rest.join(".")
  if (name === "") throw queryError("Unresolved placeholder: {variables}. Name one: {variables.x}", at)
  if (values.has(name)) return toExpression(values.get(name), at)
  throw queryError(`Variable ${name} is missing from query.${hint(name, values.keys())}`, at)
}

const MAX_VALUE_DEPTH = 20

/** A JSON value as a tree of constants; an object becomes its JSON text. */
function toExpression(value: unknown, at: Span, depth = 0): Expression {
  if (depth > MAX_VALUE_DEPTH) throw queryError("A placeholder's value is too deeply nested.", at)
  if (value === null || value === undefined) return constant(null)
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return constant(value)
  if (Array.isArray(value)) return array(value.map((item) => toExpression(item, at, depth + 1)))
  return constant(JSON.stringify(value))
}
