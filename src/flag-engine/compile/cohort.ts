import { isJsonObject, type Json } from "../../kernel/json.js"
import { DefinitionFault, type Filter, readFilter } from "../definition/read-definition.js"
import type { FlagErrorCode, ScopeTest } from "../evaluation.types.js"
import { HOLDS_FOR_NOBODY, personFilter } from "./person-filter.js"

/** A cohort as the rules hold it. */
export interface CohortDefinition {
  readonly id: number
  readonly isStatic: boolean
  /** Stored filters `{"properties": {"type": "AND" | "OR", "values": […]}}`; null for a static cohort. */
  readonly filters: Json
}

/** Membership test per cohort id; an id that is not there does not exist. */
export type CohortTests = ReadonlyMap<number, ScopeTest>

/**
 * Makes the membership tests of a project's cohorts. A nested cohort that is missing, or a circle of cohorts, makes the
 * flags that ask for it fail; a tree that cannot be read does too.
 */
export function compileCohorts(definitions: readonly CohortDefinition[], timeZone: string): CohortTests {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]))
  const done = new Map<number, ScopeTest>()
  const underWay = new Set<number>()

  const compileOne = (id: number): ScopeTest => {
    const known = done.get(id)
    if (known !== undefined) return known
    const definition = byId.get(id)
    if (definition === undefined) return fails("dependency_not_found_cohort")
    if (underWay.has(id)) return fails("dependency_cycle_cohort")
    underWay.add(id)
    const test = definition.isStatic ? staticMembership(id) : dynamicMembership(definition.filters)
    underWay.delete(id)
    done.set(id, test)
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
    return filter.type === "person" ? personFilter(filter, timeZone) : HOLDS_FOR_NOBODY
  }

  for (const id of byId.keys()) compileOne(id)
  return done
}

/** Makes the test of a cohort filter on a release condition; any operator but `in` and `not_in` is no match. */
export const compileCohortFilter = (filter: Filter, cohorts: CohortTests): ScopeTest =>
  membership(filter, (id) => cohorts.get(id) ?? fails("dependency_not_found_cohort"))

function membership(filter: Filter, testOf: (id: number) => ScopeTest): ScopeTest {
  const id = readCohortId(filter.value)
  const test = id === null ? fails("dependency_not_found_cohort") : testOf(id)
  if (!filter.hasOperator || filter.operator === "in") return test
  return filter.operator === "not_in" ? (scope) => !test(scope) : HOLDS_FOR_NOBODY
}

/** A cohort id is a number, or text that is one; null otherwise. */
export function readCohortId(value: Json | undefined): number | null {
  if (typeof value === "number") return value
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : null
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
