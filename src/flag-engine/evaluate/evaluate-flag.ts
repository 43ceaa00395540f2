import {
  type CompiledCondition,
  type CompiledFlag,
  RESULT_PLACES,
  type SuperCondition,
} from "../compile/compiled-rules.types.js"
import { findGroup } from "../compile/property-lookup.js"
import type { EvaluationScope } from "../evaluation.types.js"
import { findVariant, isWithinRollout } from "../hashing/bucketing.js"
import type { ConditionOutcome, FlagResult } from "../results/flag-result.types.js"
import { holdoutIdentifier, rolloutIdentifier } from "./identifier.js"

type Miss = Exclude<ConditionOutcome, "condition_match">

/** Decides one flag for one caller. Never throws, whatever a definition or a caller holds. */
export function evaluateFlag(flag: CompiledFlag, scope: EvaluationScope): FlagResult {
  const { fixedResult, results } = flag
  if (fixedResult !== null) return fixedResult
  scope.fault = null
  try {
    const result = decide(flag, scope)
    return scope.fault === null ? result : results.failed(scope.fault)
  } catch {
    return results.failed("flag_data_parsing_error")
  }
}

/** Enrolment decides first, then the holdout, then the release conditions (`docs/contract/flags.md#order-of-evaluation`). */
function decide(flag: CompiledFlag, scope: EvaluationScope): FlagResult {
  const { superCondition, results, holdout, groupTypeIndex } = flag
  const enrolled = superCondition === null ? null : readEnrolment(superCondition, flag, scope)
  if (enrolled === true) return results.on("super_condition_value", 0, null)
  if (enrolled === false) return results.off("super_condition_value", 0)
  if (holdout !== null && isHeldOut(holdout.percentage, flag, scope)) {
    const drawn = holdout.variant ?? results.variants[drawVariant(flag, groupTypeIndex, scope)] ?? "holdout"
    return results.on("holdout_condition_value", null, drawn)
  }
  return decideByConditions(flag, scope)
}

/** What the caller decided by enrolling: in, out, or null when they never did. */
function readEnrolment(superCondition: SuperCondition, flag: CompiledFlag, scope: EvaluationScope): boolean | null {
  if (superCondition.kind === "enrolment") {
    const value = superCondition.enrolment(scope)
    // Only `true` and the text of that name enrol; any other value is a person who left.
    return value === undefined ? null : value === true || value === "true"
  }
  const { lookups, tests, rolloutPercentage } = superCondition
  if (!lookups.some((lookup) => lookup(scope) !== undefined)) return null
  if (!tests.every((test) => test(scope))) return false
  return isRolledOut(rolloutPercentage, null, flag, scope)
}

function isHeldOut(percentage: number, flag: CompiledFlag, scope: EvaluationScope): boolean {
  if (percentage >= 100) return true
  const identifier = holdoutIdentifier(scope, flag.bucketing, flag.groupTypeIndex)
  // Of an empty identifier the bare prefix is hashed, other than for rollouts.
  return (
    identifier !== null && isWithinRollout(scope.hashes.hash(flag.holdoutHash, identifier), Math.max(0, percentage))
  )
}

/** The first condition that matches decides; when none does, the one that says most gives the reason. */
function decideByConditions(flag: CompiledFlag, scope: EvaluationScope): FlagResult {
  const { conditions, earlyExit } = flag
  let reason: Miss = "no_condition_match"
  let reasonIndex = -1
  let hasSkippedGroups = false
  for (let index = 0; index < conditions.length; index++) {
    const condition = conditions[index]
    if (condition === undefined) break
    const outcome = evaluateCondition(condition, flag, scope)
    if (scope.fault !== null) break
    if (outcome === "condition_match") return match(condition, index, flag, scope)
    if (outcome === "no_group_type") hasSkippedGroups = true
    if (reasonIndex === -1 || weigh(outcome) >= weigh(reason)) {
      reason = outcome
      reasonIndex = index
    }
    if (earlyExit && outcome === "out_of_rollout_bound" && hasDevice(condition, flag, scope)) break
  }
  const condition = conditions[reasonIndex]
  if (condition === undefined) return flag.results.off(reason, null)
  return miss(condition, reasonIndex, reason, hasSkippedGroups && reason === "no_condition_match", flag)
}

function match(condition: CompiledCondition, index: number, flag: CompiledFlag, scope: EvaluationScope): FlagResult {
  const { variantIndex, groupTypeIndex, results } = condition
  const variant = variantIndex >= 0 ? variantIndex : drawVariant(flag, groupTypeIndex, scope)
  // The place before the first variant's is that of a match without one.
  const place = RESULT_PLACES.first_variant + variant
  const known = results[place]
  if (known !== undefined) return known
  const result = flag.results.matched(index, variant)
  results[place] = result
  return result
}

function miss(
  { results }: CompiledCondition,
  index: number,
  reason: Miss,
  hasSkippedGroups: boolean,
  flag: CompiledFlag,
): FlagResult {
  const place = hasSkippedGroups ? RESULT_PLACES.skipped_groups : RESULT_PLACES[reason]
  const known = results[place]
  if (known !== undefined) return known
  const result = flag.results.missed(index, reason, hasSkippedGroups)
  results[place] = result
  return result
}

/** How much each outcome says about a flag that matched nothing; ties go to the later condition. */
function weigh(outcome: Miss): number {
  if (outcome === "no_condition_match") return 1
  return outcome === "out_of_rollout_bound" ? 2 : 0
}

/** What one release condition says of the caller; means nothing once it has set the scope's fault. */
export function evaluateCondition(
  condition: CompiledCondition,
  flag: CompiledFlag,
  scope: EvaluationScope,
): ConditionOutcome {
  const { groupTypeIndex, tests, rolloutPercentage } = condition
  if (groupTypeIndex !== null && findGroup(scope, groupTypeIndex) === undefined) return "no_group_type"
  if (!hasDevice(condition, flag, scope)) return "out_of_rollout_bound"
  for (const test of tests) if (!test(scope)) return "no_condition_match"
  return isRolledOut(rolloutPercentage, groupTypeIndex, flag, scope) ? "condition_match" : "out_of_rollout_bound"
}

/** False for a caller without a device where devices are told apart; such a one does not end a flag early. */
const hasDevice = (
  { groupTypeIndex }: CompiledCondition,
  { bucketing }: CompiledFlag,
  scope: EvaluationScope,
): boolean => bucketing.identifier === "distinct_id" || groupTypeIndex !== null || (scope.facts.deviceId ?? "") !== ""

function isRolledOut(
  percentage: number,
  groupTypeIndex: number | null,
  { bucketing, rolloutHash }: CompiledFlag,
  scope: EvaluationScope,
): boolean {
  if (percentage >= 100) return true
  const identifier = rolloutIdentifier(scope, bucketing, groupTypeIndex)
  return identifier !== null && isWithinRollout(hash(rolloutHash, identifier, scope), percentage)
}

/** Position of the variant drawn for the caller, or for their group; -1 when the shares leave them out. */
function drawVariant(
  { bucketing, variantBounds, variantHash }: CompiledFlag,
  groupTypeIndex: number | null,
  scope: EvaluationScope,
): number {
  if (variantBounds.length === 0) return -1
  const identifier = rolloutIdentifier(scope, bucketing, groupTypeIndex)
  return identifier === null ? -1 : findVariant(hash(variantHash, identifier, scope), variantBounds)
}

/** An empty identifier is always at 0 (`docs/contract/flags.md#hashing`). */
const hash = (index: number, identifier: string, { hashes }: EvaluationScope): number =>
  identifier === "" ? 0 : hashes.hash(index, identifier)
