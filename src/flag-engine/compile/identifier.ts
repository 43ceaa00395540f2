import type { EvaluationScope } from "../evaluation.types.js"
import { cutIdentifier } from "../hashing/bucketing.js"
import type { FlagHash } from "../hashing/flag-hash.js"

/** What a flag's persons are told apart by. */
export type BucketingIdentifier = "distinct_id" | "device_id"

/** How a flag chooses the identifier that is hashed. */
export interface Bucketing {
  readonly flagKey: string
  readonly identifier: BucketingIdentifier
  /** Experience continuity; holds only for persons told apart by distinct id. */
  readonly continuity: boolean
  /** Where an identifier falls for the flag's rollout. */
  readonly rollout: FlagHash
}

/** The identifier hashed for rollout and variants; null when the caller has none of the kind asked for. */
export function rolloutIdentifier(
  scope: EvaluationScope,
  bucketing: Bucketing,
  groupTypeIndex: number | null,
): string | null {
  if (groupTypeIndex !== null || bucketing.identifier === "device_id" || !bucketing.continuity)
    return plainIdentifier(scope, bucketing, groupTypeIndex)
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
  const identifier = plainIdentifier(scope, bucketing, groupTypeIndex)
  const overridden = groupTypeIndex === null && bucketing.identifier === "distinct_id" && bucketing.continuity
  return overridden ? cutIdentifier(scope.facts.anonymousDistinctId ?? scope.facts.distinctId) : identifier
}

function plainIdentifier(scope: EvaluationScope, bucketing: Bucketing, groupTypeIndex: number | null): string | null {
  const { facts } = scope
  if (groupTypeIndex !== null) {
    const group = facts.groups.get(groupTypeIndex)
    return group === undefined ? null : cutIdentifier(group.key)
  }
  if (bucketing.identifier === "distinct_id") return cutIdentifier(facts.distinctId)
  return facts.deviceId === null || facts.deviceId === "" ? null : cutIdentifier(facts.deviceId)
}
