import type { Bucketing } from "../compile/flag-rule.types.js"
import type { EvaluationScope } from "../evaluation.types.js"
import { cutIdentifier } from "../hashing/bucketing.js"

/** The identifier hashed for rollout and variants; null when the caller has none of the kind asked for. */
export function rolloutIdentifier(
  scope: EvaluationScope,
  bucketing: Bucketing,
  groupTypeIndex: number | null,
): string | null {
  if (!isKeptOverLogin(bucketing, groupTypeIndex)) return plainIdentifier(scope, bucketing, groupTypeIndex)
  const { hashKeys, anonymousDistinctId, distinctId } = scope.facts
  if (typeof hashKeys === "string") {
    scope.fault ??= hashKeys
    return null
  }
  return cutIdentifier(hashKeys.get(bucketing.flagKey) ?? anonymousDistinctId ?? distinctId)
}

/**
 * The identifier hashed for holdouts, which ignore stored hash keys (`docs/contract/flags.md#experience-continuity`).
 */
export function holdoutIdentifier(
  scope: EvaluationScope,
  bucketing: Bucketing,
  groupTypeIndex: number | null,
): string | null {
  if (!isKeptOverLogin(bucketing, groupTypeIndex)) return plainIdentifier(scope, bucketing, groupTypeIndex)
  return cutIdentifier(scope.facts.anonymousDistinctId ?? scope.facts.distinctId)
}

/** Experience continuity is for persons told apart by distinct id alone. */
const isKeptOverLogin = ({ identifier, continuity }: Bucketing, groupTypeIndex: number | null): boolean =>
  continuity && groupTypeIndex === null && identifier === "distinct_id"

function plainIdentifier(scope: EvaluationScope, bucketing: Bucketing, groupTypeIndex: number | null): string | null {
  const { facts } = scope
  if (groupTypeIndex !== null) {
    const group = facts.groups.get(groupTypeIndex)
    return group === undefined ? null : cutIdentifier(group.key)
  }
  if (bucketing.identifier === "distinct_id") return scope.identifier
  return facts.deviceId === null || facts.deviceId === "" ? null : cutIdentifier(facts.deviceId)
}
