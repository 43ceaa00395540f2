import { isJsonObject, type Json } from "../../kernel/json.js"
import { DefinitionFault, type Filter, readFilter } from "../definition/read-definition.js"
import type { StoredCohort } from "../definition/rule-document.types.js"
import { readCohortId } from "../definition/stored-filters.js"
import type { ScopeTest } from "../evaluation.types.js"
import type { FlagErrorCode } from "../results/flag-result.types.js"
import { compilePersonFilter, HOLDS_FOR_NOBODY } from "./property-tests.js"

/** Membership test per cohort id; an id that is not there does not exist. */
export type CohortTests = ReadonlyMap<number, ScopeTest>

/**
 * Makes the membership tests of a project's cohorts. A nested cohort that is missing, or a circle of cohorts, makes the
 * flags that ask for it fail; a tree that cannot be read does too.
 */
export function compileCohorts(definitions: readonly StoredCohort[], timeZone: string): CohortTests {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]))
  const compiled = new Map<number, ScopeTest>()
  const inProgress = new Set<number>()

  const compileOne = (id: number): ScopeTest => {
    const known = compiled.get(id)
    if (known !== undefined) return known
    const definition = byId.get(id)
    if (definition === undefined) return fails("dependency_not_found_cohort")
    if (inProgress.has(id)) return fails("dependency_cycle_cohort")
    inProgress.add(id)
    const test = definition.isStatic ? staticMembership(id) : dynamicMembership(definition.filters)
    inProgress.delete(id)
    compiled.set(id, test)
    return test
  }

  const dynamicMembership = (filters: Json): ScopeTest => {
    try {
      if (!isJsonObject(filters) || filters.properties === undefined) return HOLDS_FOR_NOBODY
      return compileNode(filters.properties, ["filters", "properties"])
    } catch {
      return fails("flag_data_parsing_error")
    }
  }

  const compileNode = (node: Json, path: readonly (string | number)[]): ScopeTest => {
    if (isJsonObject(node) && (node.type === "AND" || node.type === "OR" || Array.isArray(node.values))) {
      // A damaged list read as an empty one would take in everybody.
      if (!Array.isArray(node.values)) throw new DefinitionFault([...path, "values"], "must be a list")
      const tests = node.values.map((value, index) => compileNode(value, [...path, "values", index]))
      if (tests.length === 0) return () => true
      return node.type === "OR"
        ? (scope) => tests.some((test) => test(scope))
        : (scope) => tests.every((test) => test(scope))
    }
    const filter = readFilter(node, path)
    const test = compileLeaf(filter)
    return filter.negation && test !== HOLDS_FOR_NOBODY ? (scope) => !test(scope) : test
  }

  /** A leaf nobody can evaluate (behavioural, unknown operator) holds for nobody, negated or not. */
  const compileLeaf = (filter: Filter): ScopeTest => {
    if (filter.type === "cohort") return membership(filter, compileOne)
    return filter.type === "person" ? compilePersonFilter(filter, timeZone) : HOLDS_FOR_NOBODY
  }

  for (const id of byId.keys()) compileOne(id)
  return compiled
}

/** Makes the test of a cohort filter on a release condition; any operator but `in` and `not_in` is no match. */
export const compileCohortFilter = (filter: Filter, cohorts: CohortTests): ScopeTest =>
  membership(filter, (id) => cohorts.get(id) ?? fails("dependency_not_found_cohort"))

function membership(filter: Filter, findTest: (id: number) => ScopeTest): ScopeTest {
  const id = readCohortId(filter.value)
  const test = id === null ? fails("dependency_not_found_cohort") : findTest(id)
  if (!filter.hasOperator || filter.operator === "in") return test
  return filter.operator === "not_in" ? (scope) => !test(scope) : HOLDS_FOR_NOBODY
}

const staticMembership =
  (id: number): ScopeTest =>
  (scope) => {
    const { staticCohortIds } = scope.facts
    if (typeof staticCohortIds !== "string") return staticCohortIds.has(id)
    scope.fault ??= staticCohortIds
    return false
  }

const fails =
  (error: FlagErrorCode): ScopeTest =>
  (scope) => {
    scope.fault ??= error
    return false
  }
