import { queryError } from "../hogql-error.js"
import { and, array, call, compare, constant, field, not, or } from "../nodes/make.js"
import type { CompareOperator, Constant, Expression, Span } from "../nodes/nodes.js"
import { parseExpression } from "../parse/parse.js"
import { moment } from "./dates.js"

interface PropertyFilter {
  readonly key?: unknown
  readonly value?: unknown
  readonly operator?: unknown
  readonly type?: unknown
  readonly group_type_index?: unknown
  readonly values?: unknown
  /** Of cohorts, as older clients turn them round. */
  readonly negation?: unknown
}

const MAX_FILTER_DEPTH = 20

/**
 * Property filters as insights write them: a list (all must hold), one filter, or a group `{type: "AND" | "OR", values}`.
 *
 * @param table name of the table the properties belong to
 * @throws HogqlError for a kind or an operator that is not known
 */
export function propertyCondition(filters: unknown, table: string, at: Span, depth = 0): Expression {
  if (depth > MAX_FILTER_DEPTH) throw queryError("Property filters are too deeply nested.", at)
  if (Array.isArray(filters))
    return all(
      filters.map((item) => propertyCondition(item, table, at, depth + 1)),
      "AND",
      at,
    )
  if (typeof filters !== "object" || filters === null) throw queryError("A property filter must be an object.", at)
  const filter = filters as PropertyFilter
  if (Array.isArray(filter.values)) {
    return all(
      filter.values.map((item) => propertyCondition(item, table, at, depth + 1)),
      filter.type === "OR" ? "OR" : "AND",
      at,
    )
  }
  // Nothing is filtered by what clients send for no filter at all.
  if (Object.keys(filter).length === 0) return constant(true, at)
  return single(filter, table, at)
}

function all(conditions: Expression[], join: "AND" | "OR", at: Span): Expression {
  const [first, ...others] = conditions
  if (first === undefined) return constant(true, at)
  if (others.length === 0) return first
  return join === "OR" ? or(conditions, at) : and(conditions, at)
}

function single(filter: PropertyFilter, table: string, at: Span): Expression {
  const operator = typeof filter.operator === "string" ? filter.operator : "exact"
  if (filter.type === "cohort") return cohort(filter, operator, table, at)
  if (filter.type === "hogql" && typeof filter.key === "string") return parseExpression(filter.key)
  if (typeof filter.key !== "string") throw queryError("A property filter needs a key.", at)
  if (filter.type === "element") return elementCondition(filter.key, operator, filter.value, table, at)
  return condition(operator, subject(filter, filter.key, table, at), filter.value, at)
}

function cohort(filter: PropertyFilter, operator: string, table: string, at: Span): Expression {
  const id = wholeNumber(filter.value)
  if (id === null) throw queryError("A cohort filter needs the cohort's id as its value.", at)
  const outside = (operator === "not_in" || operator === "is_not") !== (filter.negation === true)
  const person = field([table, table === "persons" ? "id" : "person_id"], at)
  return compare(outside ? "not in cohort" : "in cohort", person, constant(id, at), at)
}

/** A whole number, or a text or a list of one that is one; null for anything else. Objects are never asked for a number. */
function wholeNumber(value: unknown): number | null {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  const isWritten = typeof single === "number" || (typeof single === "string" && single.trim() !== "")
  return isWritten && Number.isSafeInteger(Number(single)) ? Number(single) : null
}

function subject(filter: PropertyFilter, key: string, table: string, at: Span): Expression {
  switch (filter.type ?? "event") {
    case "event":
    case "feature":
      return field([table, "properties", key], at)
    case "event_metadata":
      return field([table, key], at)
    case "person":
      return field(table === "persons" ? [table, "properties", key] : [table, "person", "properties", key], at)
    case "group":
      return field([table, `group_${wholeNumber(filter.group_type_index) ?? 0}`, "properties", key], at)
    case "session":
      return field(table === "sessions" ? [table, key] : [table, "session", key], at)
    default:
      throw queryError(`Property filters of type ${JSON.stringify(filter.type).slice(0, 40)} are not supported.`, at)
  }
}

/** What of a clicked element, or of one around it, each key is about. */
const ELEMENT_TEXTS: ReadonlyMap<string, string> = new Map([
  ["text", "elements_chain_texts"],
  ["href", "elements_chain_href"],
  ["tag_name", "elements_chain"],
])

/** A condition on the elements that were clicked: one that matches is enough, and a negated operator turns the whole round. */
function elementCondition(key: string, operator: string, value: unknown, table: string, at: Span): Expression {
  const column = ELEMENT_TEXTS.get(key)
  if (column === undefined)
    throw queryError(`Element filters can be about ${[...ELEMENT_TEXTS.keys()].join(", ")}, not '${key}'.`, at)
  const elements = field([table, column], at)
  if (key === "href") return condition(operator, elements, value, at)
  const [, negation, plain = operator] = /^(is_not_set|is_not|not_in|not_)(.*)$/.exec(operator) ?? []
  const positive = plain === "" ? (operator === "is_not_set" ? "is_set" : "exact") : plain
  const item = field(["element"], at)
  const texts =
    key === "text" ? elements : call("extractAll", [elements, constant("(?:^|;)([a-zA-Z][-a-zA-Z0-9]*)", at)], {}, at)
  const found =
    positive === "is_set"
      ? call("notEmpty", [texts], {}, at)
      : call("arrayExists", [lambda(["element"], condition(positive, item, value, at), at), texts], {}, at)
  return negation === undefined ? found : not(found, at)
}

const lambda = (args: readonly string[], body: Expression, at: Span): Expression => ({ kind: "lambda", at, args, body })

const ORDERED: Readonly<Record<string, CompareOperator>> = {
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  min: ">=",
  max: "<=",
  is_date_after: ">",
  is_date_before: "<",
}

/** What may stand before and behind the written text; case is ignored, as it is for flags. */
const TEXT_PATTERNS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  icontains: ["%", "%"],
  icontains_multi: ["%", "%"],
  starts_with: ["", "%"],
  ends_with: ["%", ""],
}

function condition(operator: string, subjectOf: Expression, value: unknown, at: Span): Expression {
  const values = (Array.isArray(value) ? value : [value]).map((item) => scalar(item, at))
  const first = values[0] ?? constant(null, at)
  const anyOf = (operatorOfOne: CompareOperator, make: (item: Constant) => Expression) =>
    all(
      values.map((item) => compare(operatorOfOne, subjectOf, make(item), at)),
      "OR",
      at,
    )
  const positive = operator.replace(/^not_/, "")
  const around = Object.hasOwn(TEXT_PATTERNS, positive) ? TEXT_PATTERNS[positive] : undefined
  if (around !== undefined) {
    const [before, after] = around
    const escaped = (item: Constant) => String(item.value).replace(/[\\%_]/g, "\\$&")
    const found = anyOf("ilike", (item) => constant(before + escaped(item) + after, at))
    return positive === operator ? found : not(found, at)
  }
  switch (operator) {
    case "exact":
    case "in":
      return values.length === 1 ? compare("==", subjectOf, first, at) : compare("in", subjectOf, array(values, at), at)
    case "is_not":
    case "not_in":
      return values.length === 1
        ? compare("!=", subjectOf, first, at)
        : compare("not in", subjectOf, array(values, at), at)
    case "is_set":
      return compare("!=", subjectOf, constant(null, at), at)
    case "is_not_set":
      return compare("==", subjectOf, constant(null, at), at)
    case "regex":
      return anyOf("=~", (item) => constant(String(item.value), at))
    case "not_regex":
      return not(
        anyOf("=~", (item) => constant(String(item.value), at)),
        at,
      )
    case "is_date_exact":
      return compare("==", call("toDate", [subjectOf], {}, at), call("toDate", [moment(first, at)], {}, at), at)
    case "between":
      return within(subjectOf, first, values[1] ?? first, at)
    case "not_between":
      return not(within(subjectOf, first, values[1] ?? first, at), at)
  }
  const ordered = Object.hasOwn(ORDERED, operator) ? ORDERED[operator] : undefined
  if (ordered === undefined) throw queryError(`Unknown property operator '${operator.slice(0, 40)}'.`, at)
  if (operator.startsWith("is_date"))
    return compare(ordered, call("toDateTime", [subjectOf], {}, at), moment(first, at), at)
  return compare(ordered, subjectOf, number(first, at), at)
}

const within = (subjectOf: Expression, low: Constant, high: Constant, at: Span): Expression =>
  and([compare(">=", subjectOf, number(low, at), at), compare("<=", subjectOf, number(high, at), at)], at)

/** Orders compare numbers where the value is one, so that untyped properties are read as numbers too. */
function number(item: Constant, at: Span): Constant {
  const isNumeric = typeof item.value === "string" && item.value.trim() !== "" && Number.isFinite(Number(item.value))
  return isNumeric ? constant(Number(item.value), at) : item
}

function scalar(value: unknown, at: Span): Constant {
  if (value === undefined || value === null) return constant(null, at)
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return constant(value, at)
  return constant(JSON.stringify(value), at)
}
