import type { FlagRule, SuperCondition } from "../compile/flag-rule.types.js"
import { type FlagTable, PLACES } from "../compile/flag-table.js"
import { findGroup } from "../compile/property-lookup.js"
import type { EvaluationScope } from "../evaluation.types.js"
import { isWithinRollout } from "../hashing/bucketing.js"
import type { ConditionOutcome, FlagResult } from "../results/flag-result.types.js"
import { holdoutIdentifier, rolloutIdentifier } from "./identifier.js"

type Miss = Exclude<ConditionOutcome, "condition_match">

/** As a group type index in a table: persons. */
const PERSONS = -1

/** Decides the flags of a table for one caller. Flags and conditions are named by their numbers in the table. */
export class FlagEvaluator {
  readonly #table: FlagTable
  readonly #scope: EvaluationScope

  constructor(table: FlagTable, scope: EvaluationScope) {
    this.#table = table
    this.#scope = scope
  }

  /** Decides one flag. Never throws for anything that its definition or the caller may hold. */
  evaluate(flag: number): FlagResult {
    const scope = this.#scope
    scope.fault = null
    try {
      const isPlain = this.#table.isPlain[flag] === 1
      const result = isPlain ? this.#decideByConditions(flag) : this.#decide(flag, this.#rule(flag))
      return scope.fault === null ? result : this.#rule(flag).results.failed(scope.fault)
    } catch {
      return this.#rule(flag).results.failed("flag_data_parsing_error")
    }
  }

  /** What one release condition says of the caller; means nothing once it has set the scope's fault. */
  evaluateCondition(flag: number, condition: number): ConditionOutcome {
    const table = this.#table
    const scope = this.#scope
    const groupTypeIndex = table.groupTypeIndex[condition] ?? PERSONS
    if (groupTypeIndex !== PERSONS && findGroup(scope, groupTypeIndex) === undefined) return "no_group_type"
    if (!this.#hasDevice(flag, groupTypeIndex)) return "out_of_rollout_bound"
    const end = table.firstTest[condition + 1] ?? 0
    for (let test = table.firstTest[condition] ?? 0; test < end; test++)
      if (table.tests[test]?.(scope) !== true) return "no_condition_match"
    const percentage = table.rolloutPercentage[condition] ?? 0
    return this.#isRolledOut(flag, groupTypeIndex, percentage) ? "condition_match" : "out_of_rollout_bound"
  }

  /** Enrolment decides first, then the holdout, then the release conditions (`docs/contract/flags.md#order-of-evaluation`). */
  #decide(flag: number, { fixedResult, superCondition, holdout, groupTypeIndex, results }: FlagRule): FlagResult {
    if (fixedResult !== null) return fixedResult
    const enrolled = superCondition === null ? null : this.#readEnrolment(flag, superCondition)
    if (enrolled === true) return results.on("super_condition_value", 0, null)
    if (enrolled === false) return results.off("super_condition_value", 0)
    if (holdout === null || !this.#isHeldOut(flag, holdout.percentage)) return this.#decideByConditions(flag)
    const drawn = results.variants[this.#drawVariant(flag, groupTypeIndex ?? PERSONS)]
    return results.on("holdout_condition_value", null, holdout.variant ?? drawn ?? "holdout")
  }

  /** What the caller decided by enrolling: in, out, or null when they never did. */
  #readEnrolment(flag: number, superCondition: SuperCondition): boolean | null {
    const scope = this.#scope
    if (superCondition.kind === "enrolment") {
      const value = superCondition.enrolment(scope)
      // Only `true` and the text of that name enrol; any other value is a person who left.
      return value === undefined ? null : value === true || value === "true"
    }
    const { lookups, tests, rolloutPercentage } = superCondition
    if (!lookups.some((lookup) => lookup(scope) !== undefined)) return null
    return tests.every((test) => test(scope)) && this.#isRolledOut(flag, PERSONS, rolloutPercentage)
  }

  #isHeldOut(flag: number, percentage: number): boolean {
    if (percentage >= 100) return true
    const { bucketing, groupTypeIndex } = this.#rule(flag)
    const identifier = holdoutIdentifier(this.#scope, bucketing, groupTypeIndex)
    if (identifier === null) return false
    // Of an empty identifier the bare prefix is hashed, other than for rollouts.
    const hash = this.#table.hashes.hash(this.#table.holdoutHash[flag] ?? -1, identifier)
    return isWithinRollout(hash, Math.max(0, percentage))
  }

  /** The first condition that matches decides; when none does, the one that says most gives the reason. */
  #decideByConditions(flag: number): FlagResult {
    const first = this.#table.firstCondition[flag] ?? 0
    const end = this.#table.firstCondition[flag + 1] ?? 0
    let reason: Miss = "no_condition_match"
    let reasonCondition = -1
    let hasSkippedGroups = false
    for (let condition = first; condition < end; condition++) {
      const outcome = this.evaluateCondition(flag, condition)
      if (this.#scope.fault !== null) break
      if (outcome === "condition_match") return this.#match(flag, condition)
      if (outcome === "no_group_type") hasSkippedGroups = true
      if (reasonCondition === -1 || weigh(outcome) >= weigh(reason)) {
        reason = outcome
        reasonCondition = condition
      }
      if (outcome === "out_of_rollout_bound" && this.#endsEarly(flag, condition)) break
    }
    if (reasonCondition === -1) return this.#rule(flag).results.off(reason, null)
    return this.#miss(flag, reasonCondition, reason, hasSkippedGroups && reason === "no_condition_match")
  }

  /** A caller without a device, where devices are told apart, does not end a flag early. */
  #endsEarly(flag: number, condition: number): boolean {
    if (this.#table.isPlain[flag] === 1) return false
    return this.#rule(flag).earlyExit && this.#hasDevice(flag, this.#table.groupTypeIndex[condition] ?? PERSONS)
  }

  #match(flag: number, condition: number): FlagResult {
    const { results, firstResult, firstCondition, variantIndex, groupTypeIndex } = this.#table
    const given = variantIndex[condition] ?? -1
    const variant = given >= 0 ? given : this.#drawVariant(flag, groupTypeIndex[condition] ?? PERSONS)
    const place = (firstResult[condition] ?? 0) + PLACES.first_variant + variant
    const known = results[place]
    if (known !== undefined) return known
    const result = this.#rule(flag).results.matched(condition - (firstCondition[flag] ?? 0), variant)
    results[place] = result
    return result
  }

  #miss(flag: number, condition: number, reason: Miss, hasSkippedGroups: boolean): FlagResult {
    const { results, firstResult, firstCondition } = this.#table
    const place = (firstResult[condition] ?? 0) + (hasSkippedGroups ? PLACES.skipped_groups : toPlace(reason))
    const known = results[place]
    if (known !== undefined) return known
    const result = this.#rule(flag).results.missed(condition - (firstCondition[flag] ?? 0), reason, hasSkippedGroups)
    results[place] = result
    return result
  }

  #hasDevice(flag: number, groupTypeIndex: number): boolean {
    if (this.#table.isPlain[flag] === 1 || groupTypeIndex !== PERSONS) return true
    return this.#rule(flag).bucketing.identifier === "distinct_id" || (this.#scope.facts.deviceId ?? "") !== ""
  }

  #isRolledOut(flag: number, groupTypeIndex: number, percentage: number): boolean {
    if (percentage >= 100) return true
    const identifier = this.#identify(flag, groupTypeIndex)
    if (identifier === null) return false
    return isWithinRollout(this.#hash(this.#table.rolloutHash[flag] ?? -1, identifier), percentage)
  }

  /** Which of the flag's variants the caller, or their group, draws; -1 when the shares leave them out. */
  #drawVariant(flag: number, groupTypeIndex: number): number {
    const { firstVariant, variantBounds, variantHash } = this.#table
    const first = firstVariant[flag] ?? 0
    const end = firstVariant[flag + 1] ?? 0
    const identifier = first === end ? null : this.#identify(flag, groupTypeIndex)
    if (identifier === null) return -1
    const hash = this.#hash(variantHash[flag] ?? -1, identifier)
    for (let variant = first; variant < end; variant++) if (hash < (variantBounds[variant] ?? 0)) return variant - first
    return -1
  }

  #identify(flag: number, groupTypeIndex: number): string | null {
    if (this.#table.isPlain[flag] === 1) return this.#scope.identifier
    const { bucketing } = this.#rule(flag)
    return rolloutIdentifier(this.#scope, bucketing, groupTypeIndex === PERSONS ? null : groupTypeIndex)
  }

  /** An empty identifier is always at 0 (`docs/contract/flags.md#hashing`). */
  #hash(number: number, identifier: string): number {
    return identifier === "" ? 0 : this.#table.hashes.hash(number, identifier)
  }

  #rule(flag: number): FlagRule {
    const rule = this.#table.rules[flag]
    if (rule === undefined) throw new RangeError(`there is no flag number ${flag}`)
    return rule
  }
}

/** How much each outcome says about a flag that matched nothing; ties go to the later condition. */
function weigh(outcome: Miss): number {
  if (outcome === "no_condition_match") return 1
  return outcome === "out_of_rollout_bound" ? 2 : 0
}

function toPlace(reason: Miss): number {
  if (reason === "no_condition_match") return PLACES.no_condition_match
  return reason === "no_group_type" ? PLACES.no_group_type : PLACES.out_of_rollout_bound
}
