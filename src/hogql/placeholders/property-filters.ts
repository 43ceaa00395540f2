import { queryError } from "../hogql-error.js"
import { and, array, call, compare, constant, field, lambda, not, or } from "../nodes/make.js"
import type { CompareOperator, Constant, Expression, Span } from "../nodes/nodes.js"
import { parseExpression } from "../parse/parse.js"
import { toMoment } from "./dates.js"
import { recordingCondition } from "./recording-condition.js"
import { toChainPattern } from "./selector-pattern.js"
import { isVersionOperator, versionCondition } from "./version-condition.js"

interface PropertyFilter {
  readonly key?: unknown
  readonly value?: unknown
  readonly operator?: unknown
  readonly type?: unknown
  readonly group_type_index?: unknown
  readonly values?: unknown
  /** Of cohorts: how older clients write `not_in`. */
  readonly negation?: unknown
}

const MAX_FILTER_DEPTH = 20

/**
 * Property filters as insights write them: a list (all must hold), one filter, or a group `{type: "AND" | "OR", values}`.
 *
 * @param table name of the table the properties belong to
 * @param at the place of errors
 * @throws HogqlError for a kind or an operator that is not known
 */
export function propertyCondition(filters: unknown, table: string, at: Span, depth = 0): Expression {
  if (depth > MAX_FILTER_DEPTH) throw queryError("Property filters are too deeply nested.", at)
  const toConditions = (items: readonly unknown[]) => items.map((item) => propertyCondition(item, table, at, depth + 1))
  if (Array.isArray(filters)) return joinAll(toConditions(filters), and)
  if (typeof filters !== "object" || filters === null) throw queryError("A property filter must be an object.", at)
  const filter: PropertyFilter = filters
  if (Array.isArray(filter.values)) return joinAll(toConditions(filter.values), filter.type === "OR" ? or : and)
  // Nothing is filtered by what clients send for no filter at all.
  if (Object.keys(filter).length === 0) return constant(true)
  return toCondition(filter, table, at)
}

function joinAll(conditions: Expression[], join: (conditions: Expression[]) => Expression): Expression {
  const [first, ...others] = conditions
  if (first === undefined) return constant(true)
  return others.length === 0 ? first : join(conditions)
}

function toCondition(filter: PropertyFilter, table: string, at: Span): Expression {
  const operator = typeof filter.operator === "string" ? filter.operator : "exact"
  if (filter.type === "cohort") return cohortFilter(filter, operator, table, at)
  if (filter.type === "hogql" && typeof filter.key === "string") return parseExpression(filter.key)
  if (typeof filter.key !== "string") throw queryError("A property filter needs a key.", at)
  if (filter.type === "element") return elementFilter(filter.key, operator, filter.value, table, at)
  if (filter.type === "flag") return flagFilter(filter.key, operator, filter.value, table, at)
  if (filter.type === "recording")
    return recordingCondition(filter.key, table, (subject) => test(operator, subject, filter.value, at), at)
  return test(operator, toSubject(filter, filter.key, table, at), filter.value, at)
}

function cohortFilter(filter: PropertyFilter, operator: string, table: string, at: Span): Expression {
  const id = toWholeNumber(filter.value)
  if (id === null) throw queryError("A cohort filter needs the cohort's id as its value.", at)
  const isOutside = (operator === "not_in" || operator === "is_not") !== (filter.negation === true)
  const person = field([table, table === "persons" ? "id" : "person_id"])
  return compare(isOutside ? "not in cohort" : "in cohort", person, constant(id))
}

/** A whole number as number, text, or list of one such; null for anything else. Objects are never converted. */
function toWholeNumber(value: unknown): number | null {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  const isWritten = typeof single === "number" || (typeof single === "string" && single.trim() !== "")
  return isWritten && Number.isSafeInteger(Number(single)) ? Number(single) : null
}

function toSubject(filter: PropertyFilter, key: string, table: string, at: Span): Expression {
  switch (filter.type ?? "event") {
    case "event":
    case "feature":
      return field([table, "properties", key])
    case "event_metadata":
      return field([table, key])
    case "person":
      return field(table === "persons" ? [table, "properties", key] : [table, "person", "properties", key])
    case "group":
      return field([table, `group_${toWholeNumber(filter.group_type_index) ?? 0}`, "properties", key])
    case "session":
      return field(table === "sessions" ? [table, key] : [table, "session", key])
    default:
      throw queryError(`Property filters of type ${JSON.stringify(filter.type).slice(0, 40)} are not supported.`, at)
  }
}

/** What a flag was for an event: `true` is any variant, `false` that it was off, a text is one variant. */
function flagFilter(key: string, operator: string, value: unknown, table: string, at: Span): Expression {
  if (operator !== "flag_evaluates_to" && operator !== "exact")
    throw queryError(`A flag filter has the operator flag_evaluates_to, not '${operator.slice(0, 40)}'.`, at)
  if (typeof value !== "boolean" && typeof value !== "string")
    throw queryError("A flag filter needs true, false or a variant as its value.", at)
  const flag = call("toString", [field([table, "properties", `$feature/${key}`])])
  const isOff = compare("==", flag, constant("false"))
  if (value === false) return isOff
  if (value === true) return and([compare("!=", flag, constant(null)), not(isOff)])
  return compare("==", flag, constant(value))
}

/** The column with the clicked element and those around it, by the key of the filter. */
const ELEMENT_COLUMNS: ReadonlyMap<string, string> = new Map([
  ["text", "elements_chain_texts"],
  ["href", "elements_chain_href"],
  ["tag_name", "elements_chain"],
])

/** A condition on the clicked element and those around it: one must match, or with a negated operator none may. */
function elementFilter(key: string, operator: string, value: unknown, table: string, at: Span): Expression {
  if (key === "selector") return selectorFilter(operator, value, table, at)
  const column = ELEMENT_COLUMNS.get(key)
  if (column === undefined)
    throw queryError(
      `Element filters can be about selector, ${[...ELEMENT_COLUMNS.keys()].join(", ")}, not '${key}'.`,
      at,
    )
  const elements = field([table, column])
  if (key === "href") return test(operator, elements, value, at)
  const [, negation, plain = operator] = /^(is_not_set|is_not|not_in|not_)(.*)$/.exec(operator) ?? []
  const positive = plain === "" ? (operator === "is_not_set" ? "is_set" : "exact") : plain
  const texts = key === "text" ? elements : call("extractAll", [elements, constant("(?:^|;)([a-zA-Z][-a-zA-Z0-9]*)")])
  const found =
    positive === "is_set"
      ? call("notEmpty", [texts])
      : call("arrayExists", [lambda(["element"], test(positive, field(["element"]), value, at)), texts])
  return negation === undefined ? found : not(found)
}

/** An element that one of the selectors describes was clicked, or is around what was; or none. */
function selectorFilter(operator: string, value: unknown, table: string, at: Span): Expression {
  const isNegated = operator === "is_not" || operator === "not_in"
  if (!isNegated && operator !== "exact" && operator !== "in")
    throw queryError(`A selector is compared by exact or is_not, not by '${operator.slice(0, 40)}'.`, at)
  const selectors = [value].flat()
  const found = selectors.map((selector) => {
    if (typeof selector !== "string") throw queryError("A selector must be a text.", at)
    return compare("=~", field([table, "elements_chain"]), constant(toChainPattern(selector, at)))
  })
  const isFound = joinAll(found, or)
  return isNegated ? not(isFound) : isFound
}

const ORDERED: ReadonlyMap<string, CompareOperator> = new Map<string, CompareOperator>([
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
  ["min", ">="],
  ["max", "<="],
  ["is_date_after", ">"],
  ["is_date_before", "<"],
])

/** Wildcards before and after the text; case is ignored, as it is for flags. */
const TEXT_PATTERNS: ReadonlyMap<string, readonly [before: string, after: string]> = new Map([
  ["icontains", ["%", "%"]],
  ["icontains_multi", ["%", "%"]],
  ["starts_with", ["", "%"]],
  ["ends_with", ["%", ""]],
])

/** The condition of an operator on a subject. */
function test(operator: string, subject: Expression, value: unknown, at: Span): Expression {
  const values = (Array.isArray(value) ? value : [value]).map(toScalar)
  const first = values[0] ?? constant(null)
  const second = values[1] ?? first
  const compareAny = (comparison: CompareOperator, toItem: (item: Constant) => Expression, compared = subject) =>
    joinAll(
      values.map((item) => compare(comparison, compared, toItem(item))),
      or,
    )
  const matchesAny = () => compareAny("=~", (item) => constant(String(item.value)))
  const isBetween = () => and([compare(">=", subject, toNumber(first)), compare("<=", subject, toNumber(second))])
  const positive = operator.replace(/^not_/, "")
  const around = TEXT_PATTERNS.get(positive)
  if (around !== undefined) {
    const [before, after] = around
    const escaped = (item: Constant) => String(item.value).replace(/[\\%_]/g, "\\$&")
    const found = compareAny("ilike", (item) => constant(before + escaped(item) + after))
    return positive === operator ? found : not(found)
  }
  switch (operator) {
    case "exact":
    case "in":
      return values.length === 1 ? compare("==", subject, first) : compare("in", subject, array(values))
    case "is_not":
    case "not_in":
      return values.length === 1 ? compare("!=", subject, first) : compare("not in", subject, array(values))
    case "is_set":
      return compare("!=", subject, constant(null))
    case "is_not_set":
      return compare("==", subject, constant(null))
    case "regex":
      return matchesAny()
    case "not_regex":
      return not(matchesAny())
    case "is_cleaned_path_exact":
      return compareAny("==", (item) => call("cleanPath", [item]), call("cleanPath", [subject]))
    case "is_date_exact":
      return compare("==", call("toDate", [subject]), call("toDate", [toMoment(first)]))
    case "between":
      return isBetween()
    case "not_between":
      return not(isBetween())
  }
  if (isVersionOperator(operator)) return versionCondition(operator, subject, value, at)
  const comparison = ORDERED.get(operator)
  if (comparison === undefined) throw queryError(`Unknown property operator '${operator.slice(0, 40)}'.`, at)
  if (operator.startsWith("is_date")) return compare(comparison, call("toDateTime", [subject]), toMoment(first))
  return compare(comparison, subject, toNumber(first))
}

/** A numeric text becomes a number, so that `gt` and the like read untyped properties as numbers too. */
function toNumber(item: Constant): Constant {
  const isNumeric = typeof item.value === "string" && item.value.trim() !== "" && Number.isFinite(Number(item.value))
  return isNumeric ? constant(Number(item.value)) : item
}

function toScalar(value: unknown): Constant {
  if (value === undefined || value === null) return constant(null)
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return constant(value)
  return constant(JSON.stringify(value))
}
