import type { HogqlQuery, HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import { array, constant } from "../nodes/make.js"
import type { Expression, Placeholder, Query, Select, Span } from "../nodes/nodes.js"
import { NodeTransformer } from "../nodes/transformer.js"
import { hint } from "../suggest.js"
import { dateBound } from "./dates.js"
import { filterCondition } from "./filters.js"
import { variableValues } from "./variables.js"

/**
 * Puts values in the place of `{…}` (`management.md` 8.6): `{filters}`, `{filters.dateRange.from}`, `{variables.name}`,
 * `{name}`. Values become constants of the tree, so nothing of them is ever read as HogQL or SQL.
 *
 * @throws HogqlError for a placeholder without a value
 */
export function fillPlaceholders(query: Query, given: Omit<HogqlQuery, "text">, scope: HogqlScope): Query {
  return new PlaceholderFiller(given, scope).query(query)
}

class PlaceholderFiller extends NodeTransformer {
  private readonly given: Omit<HogqlQuery, "text">
  private readonly scope: HogqlScope

  constructor(given: Omit<HogqlQuery, "text">, scope: HogqlScope) {
    super()
    this.given = given
    this.scope = scope
  }

  protected override change(node: Expression, around: Select | null): Expression {
    return node.kind === "placeholder" ? this.fill(node, around) : node
  }

  private fill(node: Placeholder, around: Select | null): Expression {
    const { expression } = node
    if (expression.kind !== "field") throw queryError("A placeholder must be a name, such as {filters}.", node.at)
    const chain = expression.chain.map(String)
    const [first = "", ...rest] = chain
    if (first === "filters") return this.fillFilters(rest, node.at, around)
    if (first === "variables") return this.fillVariable(rest, node.at)
    const { values = {} } = this.given
    if (!Object.hasOwn(values, first)) throw queryError(`Unresolved placeholder: {${chain.join(".")}}`, node.at)
    let value: unknown = values[first]
    for (const part of rest) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) {
        throw queryError(`Unresolved placeholder: {${chain.join(".")}}`, node.at)
      }
      value = (value as Record<string, unknown>)[part]
    }
    return toExpression(value, node.at)
  }

  private fillFilters(rest: readonly string[], at: Span, around: Select | null): Expression {
    const { filters } = this.given
    if (rest.length === 0) return filterCondition(filters ?? {}, around, this.scope, at)
    const [group, end] = rest
    if (rest.length === 2 && group === "dateRange" && (end === "from" || end === "to")) {
      const written = end === "from" ? filters?.dateRange?.date_from : filters?.dateRange?.date_to
      return (written ? dateBound(written, at, this.scope) : null) ?? constant(null, at)
    }
    throw queryError(`Unresolved placeholder: {filters.${rest.join(".")}}`, at)
  }

  private fillVariable(rest: readonly string[], at: Span): Expression {
    const values = variableValues(this.given.variables ?? {})
    const name = rest.join(".")
    if (name === "") throw queryError("Unresolved placeholder: {variables}. Name one: {variables.x}", at)
    if (values.has(name)) return toExpression(values.get(name), at)
    throw queryError(`Variable ${name} is missing from query.${hint(name, values.keys())}`, at)
  }
}

const MAX_VALUE_DEPTH = 20

/** A JSON value as a tree of constants; an object becomes its JSON text. */
function toExpression(value: unknown, at: Span, depth = 0): Expression {
  if (depth > MAX_VALUE_DEPTH) throw queryError("A placeholder's value is too deeply nested.", at)
  if (value === null || value === undefined) return constant(null, at)
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number") return constant(value, at)
  if (Array.isArray(value)) {
    return array(
      value.map((item) => toExpression(item, at, depth + 1)),
      at,
    )
  }
  return constant(JSON.stringify(value), at)
}
