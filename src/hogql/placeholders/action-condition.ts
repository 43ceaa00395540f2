import { queryError } from "../hogql-error.js"
import { and, call, compare, constant, field, lambda, or } from "../nodes/make.js"
import type { Expression, Span } from "../nodes/nodes.js"
import { propertyCondition } from "./property-filters.js"
import { toChainPattern } from "./selector-pattern.js"

/**
 * The steps of an action as a condition on events: any of them, each with all that it says
 * (`docs/contract/queries.md#actions`). A step that says nothing, or no step at all, is every event.
 *
 * @param table name of the events in the query
 * @throws HogqlError for selectors and property filters that cannot be read
 */
export function actionCondition(steps: unknown, table: string, at: Span): Expression {
  if (!Array.isArray(steps)) throw queryError("Steps of an action must be a list.", at)
  const conditions = steps.map((step) => stepCondition(step, table, at))
  return conditions.length > 1 ? or(conditions) : (conditions[0] ?? constant(true))
}

function stepCondition(step: unknown, table: string, at: Span): Expression {
  if (typeof step !== "object" || step === null) throw queryError("A step of an action must be an object.", at)
  const text = (name: string): string | null => {
    const value: unknown = Reflect.get(step, name)
    return typeof value === "string" && value !== "" ? value : null
  }
  const conditions: Expression[] = []
  const test = (name: string, add: (value: string) => Expression): void => {
    const value = text(name)
    if (value !== null) conditions.push(add(value))
  }
  const chain = (selector: string) =>
    compare("=~", field([table, "elements_chain"]), constant(toChainPattern(selector, at)))
  test("event", (name) => compare("==", field([table, "event"]), constant(name)))
  test("selector", chain)
  test("tag_name", chain)
  test("href", (href) => matched(field([table, "elements_chain_href"]), href, text("href_matching")))
  test("text", (wanted) => {
    const element = lambda(["element"], matched(field(["element"]), wanted, text("text_matching")))
    return call("arrayExists", [element, field([table, "elements_chain_texts"])])
  })
  test("url", (url) => urlCondition(field([table, "properties", "$current_url"]), url, text("url_matching")))
  const properties: unknown = Reflect.get(step, "properties") ?? []
  if (!Array.isArray(properties) || properties.length > 0) conditions.push(propertyCondition(properties, table, at))
  return conditions.length > 1 ? and(conditions) : (conditions[0] ?? constant(true))
}

/** `%` and `_` of an address are wildcards, and its case counts. */
function urlCondition(address: Expression, url: string, matching: string | null): Expression {
  if (matching === "exact" || matching === "regex") return matched(address, url, matching)
  return compare("like", address, constant(`%${url}%`))
}

function matched(subject: Expression, wanted: string, matching: string | null): Expression {
  if (matching === "regex") return compare("=~", subject, constant(wanted))
  if (matching === "contains") return compare("ilike", subject, constant(`%${wanted}%`))
  return compare("==", subject, constant(wanted))
}
