import { matchesDependencyValue } from "../definition/flag-reference.js"
import type { Filter } from "../definition/read-definition.js"
import type { EvaluationScope, ScopeTest } from "../evaluation.types.js"
import { compileCohortFilter } from "./compile-cohorts.js"
import type { CompileContext } from "./compile-context.js"
import { compileGroupFilter, compileMetadataFilter, compilePersonFilter, HOLDS_FOR_NOBODY } from "./property-tests.js"

/**
 * Compiles one filter of a release condition; flags with the same filter share the test.
 * @param groupTypeIndex the condition's; null for persons.
 */
export function compileFilter(filter: Filter, groupTypeIndex: number | null, context: CompileContext): ScopeTest {
  // Not shared: what another flag came to is known already.
  if (filter.type === "flag") return compileFlagFilter(filter, context)
  const madeFrom = JSON.stringify([groupTypeIndex, filter])
  return context.sharedTests.get(madeFrom, () => compileByType(filter, groupTypeIndex, context))
}

function compileByType(filter: Filter, groupTypeIndex: number | null, context: CompileContext): ScopeTest {
  switch (filter.type) {
    case "person":
      return compilePersonFilter(filter, context.timeZone)
    case "group":
      return compileGroupFilter(filter, filter.groupTypeIndex ?? groupTypeIndex, context.timeZone)
    case "cohort":
      return compileCohortFilter(filter, context.cohorts)
    case "person_metadata":
      return compileMetadataFilter(filter, context.timeZone)
    default:
      return HOLDS_FOR_NOBODY
  }
}

function compileFlagFilter(filter: Filter, context: CompileContext): ScopeTest {
  const position = context.findFlagPosition(filter)
  if (filter.operator !== "flag_evaluates_to" || position === undefined) return HOLDS_FOR_NOBODY
  return (scope) => matchesDependencyValue(filter.value, readValueAt(scope, position))
}

/** A flag that was filtered out of the request counts as off; one that failed makes its dependants fail. */
function readValueAt(scope: EvaluationScope, position: number): boolean | string {
  const result = scope.results[position]
  if (result === undefined) return false
  if (result.error !== null) scope.fault ??= result.error
  return result.variant ?? result.enabled
}
