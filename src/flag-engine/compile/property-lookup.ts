import type { Json } from "../../kernel/json.js"
import { listPropertyCandidates } from "../definition/fact-needs.js"
import type { EvaluationScope, GroupSource, PropertySource } from "../evaluation.types.js"

/** Reads a property of the person under evaluation; undefined when it is not set. */
export type PropertyLookup = (scope: EvaluationScope) => Json | undefined

/**
 * Makes the reader of one person property (`docs/contract/flags.md#missing-facts`): what the request says, else what is
 * stored; the distinct id is always a property; `$initial_x` falls back to `x`. Sets the scope's fault when the answer
 * depends on stored properties that could not be read.
 */
export function personProperty(key: string): PropertyLookup {
  if (key === "distinct_id") return (scope) => ownProperty(scope, scope.facts.person, key, scope.facts.distinctId)
  const candidates = listPropertyCandidates(key)
  if (candidates.length === 1) return (scope) => ownProperty(scope, scope.facts.person, key, undefined)
  return (scope) => {
    for (const candidate of candidates) {
      const value = ownProperty(scope, scope.facts.person, candidate, undefined)
      if (value !== undefined) return value
    }
    return undefined
  }
}

/** The group of a type that the request names. Sets the scope's fault when that could not be found out. */
export function findGroup(scope: EvaluationScope, groupTypeIndex: number): GroupSource | undefined {
  const { groups, unreadGroupTypes: unread } = scope.facts
  const group = groups.get(groupTypeIndex)
  if (group === undefined && unread != null && !unread.knownIndexes.has(groupTypeIndex)) scope.fault ??= unread.error
  return group
}

/** Reads a property of a group; the request wins over what is stored. */
export const groupProperty = (scope: EvaluationScope, group: PropertySource, key: string): Json | undefined =>
  ownProperty(scope, group, key, undefined)

function ownProperty(
  scope: EvaluationScope,
  source: PropertySource,
  key: string,
  fallback: Json | undefined,
): Json | undefined {
  if (Object.hasOwn(source.overrides, key)) return source.overrides[key]
  if (Object.hasOwn(source.stored, key)) return source.stored[key]
  if (fallback === undefined && source.unavailable !== null) scope.fault ??= source.unavailable
  return fallback
}
