import type { Filter } from "../definition/read-definition.js"
import type { ScopeTest } from "../evaluation.types.js"
import { compileOperator, NEVER } from "../operators/operators.js"
import { findGroup, groupProperty, personProperty } from "./property-lookup.js"

/** A test that never holds, for filters nobody can evaluate. */
export const HOLDS_FOR_NOBODY: ScopeTest = () => false

/** Compiles a filter on a person property. */
export function compilePersonFilter(filter: Filter, timeZone: string): ScopeTest {
  const test = compileOperator(filter.operator, filter.value, timeZone)
  if (test === NEVER) return HOLDS_FOR_NOBODY
  const lookup = personProperty(filter.key)
  return (scope) => test(lookup(scope), scope.facts.nowMs, scope)
}

/**
 * Compiles a filter on a group property. A group that was not sent fails closed, whatever the operator; one that is not
 * stored has no properties.
 */
export function compileGroupFilter(filter: Filter, groupTypeIndex: number | null, timeZone: string): ScopeTest {
  if (groupTypeIndex === null) return HOLDS_FOR_NOBODY
  const test = compileOperator(filter.operator, filter.value, timeZone)
  return (scope) => {
    const group = findGroup(scope, groupTypeIndex)
    return group !== undefined && test(groupProperty(scope, group, filter.key), scope.facts.nowMs, scope)
  }
}

/** Compiles a filter on when the person was first seen, which is all that is known of persons besides properties. */
export function compileMetadataFilter(filter: Filter, timeZone: string): ScopeTest {
  if (filter.key !== "created_at") return HOLDS_FOR_NOBODY
  const test = compileOperator(filter.operator, filter.value, timeZone)
  return (scope) => {
    const { person, personCreatedAt, nowMs } = scope.facts
    if (personCreatedAt === null && person.unavailable !== null) scope.fault ??= person.unavailable
    return test(personCreatedAt ?? undefined, nowMs, scope)
  }
}
