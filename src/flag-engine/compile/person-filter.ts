import type { Filter } from "../definition/read-definition.js"
import type { ScopeTest } from "../evaluation.types.js"
import { compileOperator, NEVER } from "../operators/operators.js"
import { personProperty } from "./property-lookup.js"

/** A test that never holds, for filters nobody can evaluate. */
export const HOLDS_FOR_NOBODY: ScopeTest = () => false

/** Makes the test of one filter on a person property. */
export function personFilter(filter: Filter, timeZone: string): ScopeTest {
  const test = compileOperator(filter.operator, filter.value, timeZone)
  if (test === NEVER) return HOLDS_FOR_NOBODY
  const lookup = personProperty(filter.key)
  return (scope) => test(lookup(scope), scope.facts.nowMs)
}
