import type { Json } from "../../kernel/json.js"
import { type CompiledFlag, type CompiledRules, compileContextOf } from "../compile/compile-rules.js"
import { compileCondition } from "../compile/condition.js"
import { type CompileContext, compileFilter } from "../compile/filter.js"
import { type Bucketing, rolloutIdentifier } from "../compile/identifier.js"
import { groupProperty, personProperty } from "../compile/property-lookup.js"
import { type Condition, DefinitionFault, type Filter, readFlagDefinition } from "../definition/read-definition.js"
import type { RuleFlag } from "../definition/rule-document.types.js"
import type { EvaluationFacts, EvaluationScope, FlagErrorCode } from "../evaluation.types.js"
import { FlagHash } from "../hashing/flag-hash.js"
import { createScope } from "./evaluation-scope.js"
import type { ConditionExplanation, FilterExplanation, FlagExplanation } from "./flag-explanation.types.js"

/**
 * Explains one flag for one user: every condition and every filter is tried, also those behind the one that decided.
 * @param dependencies the flag itself, where it is active, and what it depends on, in dependency order.
 */
export function explainFlag(
  rules: CompiledRules,
  flag: RuleFlag,
  dependencies: readonly CompiledFlag[],
  facts: EvaluationFacts,
): FlagExplanation {
  const scope = createScope(facts, rules.document.flags.length)
  for (const one of dependencies) scope.results[one.position] = one.evaluate(scope)
  const position = rules.document.flags.indexOf(flag)
  const result = flag.active ? (scope.results[position] ?? null) : null
  const explainer = new ConditionExplainer(flag, compileContextOf(rules.document), scope)
  const conditions = conditionsOf(flag).map((condition, index) => explainer.explain(condition, index))
  return { key: flag.key, active: flag.active, result, conditions }
}

/** A definition that cannot be read has no conditions; the result says what is wrong with it. */
function conditionsOf(flag: RuleFlag): readonly Condition[] {
  try {
    return readFlagDefinition(flag.filters).conditions
  } catch (error) {
    if (error instanceof DefinitionFault) return []
    throw error
  }
}

class ConditionExplainer {
  private readonly bucketing: Bucketing

  constructor(
    flag: RuleFlag,
    private readonly context: CompileContext,
    private readonly scope: EvaluationScope,
  ) {
    this.bucketing = {
      flagKey: flag.key,
      identifier: flag.bucketingIdentifier,
      continuity: flag.ensureExperienceContinuity,
      rollout: new FlagHash(`${flag.key}.`, ""),
    }
  }

  explain(condition: Condition, index: number): ConditionExplanation {
    const { groupTypeIndex, rolloutPercentage, variant } = condition
    const { value: outcome, error } = this.withoutFault(compileCondition(condition, this.bucketing, this.context).test)
    const { value: identifier } = this.withoutFault((scope) => rolloutIdentifier(scope, this.bucketing, groupTypeIndex))
    return {
      index,
      matched: outcome === "condition_match" && error === null,
      outcome,
      filters: condition.filters.map((filter) => this.explainFilter(filter, groupTypeIndex)),
      rolloutPercentage,
      groupTypeIndex,
      identifier,
      bucket: identifier === null ? null : this.bucketing.rollout.of(identifier),
      variant,
    }
  }

  private explainFilter(filter: Filter, groupTypeIndex: number | null): FilterExplanation {
    const { value: matched, error } = this.withoutFault(compileFilter(filter, groupTypeIndex, this.context))
    const { value: actual } = this.withoutFault((scope) => this.actualValue(scope, filter, groupTypeIndex))
    return {
      type: filter.type,
      key: filter.key,
      operator: filter.type === "cohort" && !filter.hasOperator ? "in" : filter.operator,
      expected: filter.value ?? null,
      actual: actual ?? null,
      isSet: actual !== undefined,
      matched: matched && error === null,
      error,
    }
  }

  private actualValue(scope: EvaluationScope, filter: Filter, groupTypeIndex: number | null): Json | undefined {
    switch (filter.type) {
      case "person":
        return personProperty(filter.key)(scope)
      case "person_metadata":
        return scope.facts.personCreatedAt ?? undefined
      case "group": {
        const group = scope.facts.groups.get(filter.groupTypeIndex ?? groupTypeIndex ?? -1)
        return group === undefined ? undefined : groupProperty(scope, group, filter.key)
      }
      case "cohort":
        return compileFilter({ ...filter, operator: "in", hasOperator: true }, null, this.context)(scope)
      case "flag": {
        const result = scope.results[this.context.positionOfFlag(filter) ?? -1]
        return result === undefined ? undefined : (result.variant ?? result.enabled)
      }
      default:
        return undefined
    }
  }

  /** Clears the fault before each question: what cannot be told of one filter says nothing about the next. */
  private withoutFault<T>(ask: (scope: EvaluationScope) => T): { value: T; error: FlagErrorCode | null } {
    this.scope.fault = null
    const value = ask(this.scope)
    const error = this.scope.fault
    this.scope.fault = null
    return { value, error }
  }
}
