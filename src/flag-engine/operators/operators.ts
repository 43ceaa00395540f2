import type { Json } from "../../kernel/json.js"
import { dateOperator } from "./date-operators.js"
import { compileLinearRegex, RegexFault } from "./linear-regex.js"
import { toNumber, toText } from "./property-value.js"
import { contains, containsAny, endsWith, equals, startsWith } from "./text-operators.js"
import { versionOperator } from "./version-operators.js"
import { spendWork, type WorkBudget } from "./work-budget.js"

/** Whether a property value satisfies a filter; `undefined` means the property is not set. */
export type ValueTest = (value: Json | undefined, nowMs: number, budget: WorkBudget) => boolean

/** Makes the test for a filter value. The value is never null here. */
type OperatorCompiler = (filterValue: Json, timeZone: string) => ValueTest

/** The test that no value satisfies. */
export const NEVER: ValueTest = () => false

const present =
  (test: (value: Json, budget: WorkBudget) => boolean): ValueTest =>
  (value, _nowMs, budget) =>
    value !== undefined && test(value, budget)

/** The negative twin of a test: an absent property satisfies it. */
const negated =
  (compile: OperatorCompiler): OperatorCompiler =>
  (filterValue, timeZone) => {
    const test = compile(filterValue, timeZone)
    return (value, nowMs, budget) => !test(value, nowMs, budget)
  }

/** Both sides must be numbers or text that is a number as a whole; anything else is no match. */
const numeric =
  (compare: (value: number, bound: number) => boolean): OperatorCompiler =>
  (filterValue) => {
    const bound = toNumber(filterValue)
    if (bound === null) return NEVER
    return present((value) => {
      const number = toNumber(value)
      return number !== null && compare(number, bound)
    })
  }

/**
 * A pattern the engine refuses matches nothing, whichever way the operator asks
 * (`docs/contract/flags.md#regular-expressions`).
 */
const regex =
  (whenFound: boolean): OperatorCompiler =>
  (filterValue) => {
    try {
      const { size, test } = compileLinearRegex(toText(filterValue))
      return (value, _nowMs, budget) => {
        if (value === undefined) return !whenFound
        const text = toText(value)
        return spendWork(budget, size * text.length) && test(text) === whenFound
      }
    } catch (error) {
      if (error instanceof RegexFault) return NEVER
      throw error
    }
  }

const exact: OperatorCompiler = (filterValue) => present(equals(filterValue))
const icontains: OperatorCompiler = (filterValue) => present(contains(filterValue))
const icontainsMulti: OperatorCompiler = (filterValue) => present(containsAny(filterValue))
const startsWithText: OperatorCompiler = (filterValue) => present(startsWith(filterValue))
const endsWithText: OperatorCompiler = (filterValue) => present(endsWith(filterValue))
const gte = numeric((value, bound) => value >= bound)
const lte = numeric((value, bound) => value <= bound)

/**
 * Operators that compare with a filter value (`docs/contract/flags.md#property-operators`); a Map, so that no inherited
 * name is one.
 */
const COMPARISONS: ReadonlyMap<string, OperatorCompiler> = new Map<string, OperatorCompiler>([
  ["exact", exact],
  ["is_not", negated(exact)],
  ["icontains", icontains],
  ["not_icontains", negated(icontains)],
  ["icontains_multi", icontainsMulti],
  ["not_icontains_multi", negated(icontainsMulti)],
  ["starts_with", startsWithText],
  ["not_starts_with", negated(startsWithText)],
  ["ends_with", endsWithText],
  ["not_ends_with", negated(endsWithText)],
  ["regex", regex(true)],
  ["not_regex", regex(false)],
  ["gt", numeric((value, bound) => value > bound)],
  ["gte", gte],
  ["min", gte],
  ["lt", numeric((value, bound) => value < bound)],
  ["lte", lte],
  ["max", lte],
  ["is_date_before", dateOperator((instant, bound) => instant < bound)],
  ["is_date_after", dateOperator((instant, bound) => instant > bound)],
  ["is_date_exact", dateOperator((instant, bound) => instant === bound)],
  ["semver_eq", versionOperator("eq")],
  ["semver_neq", versionOperator("neq")],
  ["semver_gt", versionOperator("gt")],
  ["semver_gte", versionOperator("gte")],
  ["semver_lt", versionOperator("lt")],
  ["semver_lte", versionOperator("lte")],
  ["semver_tilde", versionOperator("tilde")],
  ["semver_caret", versionOperator("caret")],
  ["semver_wildcard", versionOperator("wildcard")],
])

const PRESENCE: ReadonlyMap<string, ValueTest> = new Map<string, ValueTest>([
  ["is_set", (value) => value !== undefined],
  ["is_not_set", (value) => value === undefined],
])

/** Every operator a property filter may use. */
export const PROPERTY_OPERATORS: readonly string[] = [...COMPARISONS.keys(), ...PRESENCE.keys()]

/** Whether an operator asks only if the property is there. */
export const isPresenceOperator = (operator: string): boolean => PRESENCE.has(operator)

/**
 * Makes the test of one property filter. An operator nobody knows and a missing filter value match nothing, so that one
 * bad filter never turns a flag on.
 */
export function compileOperator(operator: string, filterValue: Json | undefined, timeZone: string): ValueTest {
  const presence = PRESENCE.get(operator)
  if (presence !== undefined) return presence
  const compile = COMPARISONS.get(operator)
  if (compile === undefined || filterValue === undefined || filterValue === null) return NEVER
  return compile(filterValue, timeZone)
}
