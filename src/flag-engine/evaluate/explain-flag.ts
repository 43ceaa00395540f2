import type { Json } from "../../kernel/json.js"
import { compileCohortFilter } from "../compile/compile-cohorts.js"
import type { CompileContext } from "../compile/compile-context.js"
import { compileFilter } from "../compile/compile-filter.js"
import { compileFlag, toRolloutInput } from "../compile/compile-flag.js"
import type { CompiledFlag, CompiledRules } from "../compile/compiled-rules.types.js"
import type { FlagRule } from "../compile/flag-rule.types.js"
import { toFlagTable } from "../compile/flag-table.js"
import { groupProperty, personProperty } from "../compile/property-lookup.js"
import { type Condition, type Filter, tryReadFlagDefinition } from "../definition/read-definition.js"
import type { RuleFlag } from "../definition/rule-document.types.js"
import type { EvaluationFacts, EvaluationScope } from "../evaluation.types.js"
import { hashIdentifier } from "../hashing/hash-identifier.js"
import type { FlagErrorCode } from "../results/flag-result.types.js"
import { createScope } from "./evaluate-flags.js"
import { FlagEvaluator } from "./flag-evaluator.js"
import type { ConditionExplanation, FilterExplanation, FlagExplanation } from "./flag-explanation.types.js"
import { rolloutIdentifier } from "./identifier.js"

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
  const scope = createScope(rules, facts)
  const evaluator = new FlagEvaluator(rules.table, scope)
  for (const one of dependencies) scope.results[one.position] = evaluator.evaluate(one.number)
  const position = rules.document.flags.indexOf(flag)
  const result = flag.active ? (scope.results[position] ?? null) : null
  // By itself, because rules have neither inactive flags nor the conditions of one that depends on a missing flag.
  const rule = compileFlag({ ...flag, dependencyFault: null }, rules.context)
  const explainer = new Explainer(rule, rules.context, scope)
  // A definition that cannot be read has no conditions; the result says what is wrong with it.
  const stored = tryReadFlagDefinition(flag.filters)?.conditions ?? []
  const readable = stored.slice(0, rule.conditions.length)
  const conditions = readable.map((condition, index) => explainer.explainCondition(condition, index))
  return { key: flag.key, active: flag.active, result, conditions }
}

class Explainer {
  private readonly evaluator: FlagEvaluator

  constructor(
    private readonly rule: FlagRule,
    private readonly context: CompileContext,
    private readonly scope: EvaluationScope,
  ) {
    this.evaluator = new FlagEvaluator(toFlagTable([rule], context.createHashBatch), scope)
  }

  explainCondition(
    { groupTypeIndex, rolloutPercentage, variant, filters }: Condition,
    index: number,
  ): ConditionExplanation {
    const { bucketing } = this.rule
    const { value: outcome, error } = this.ask(() => this.evaluator.evaluateCondition(0, index))
    const { value: identifier } = this.ask((scope) => rolloutIdentifier(scope, bucketing, groupTypeIndex))
    return {
      index,
      matched: outcome === "condition_match" && error === null,
      outcome,
      filters: filters.map((filter) => this.explainFilter(filter, groupTypeIndex)),
      rolloutPercentage,
      groupTypeIndex,
      identifier,
      bucket:
        identifier === null
          ? null
          : identifier === ""
            ? 0
            : hashIdentifier(toRolloutInput(bucketing.flagKey), identifier),
      variant,
    }
  }

  private explainFilter(filter: Filter, groupTypeIndex: number | null): FilterExplanation {
    const { value: matched, error } = this.ask(compileFilter(filter, groupTypeIndex, this.context))
    const { value: actual } = this.ask((scope) => this.findActual(scope, filter, groupTypeIndex))
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

  /** What a filter was compared with; undefined when there is no such thing. */
  private findActual(scope: EvaluationScope, filter: Filter, groupTypeIndex: number | null): Json | undefined {
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
        return compileCohortFilter({ ...filter, operator: "in", hasOperator: true }, this.context.cohorts)(scope)
      case "flag": {
        const result = scope.results[this.context.findFlagPosition(filter) ?? -1]
        return result === undefined ? undefined : (result.variant ?? result.enabled)
      }
      default:
        return undefined
    }
  }

  /** Without the fault of the question before: what cannot be told of one filter says nothing about the next. */
  private ask<T>(question: (scope: EvaluationScope) => T): { value: T; error: FlagErrorCode | null } {
    this.scope.fault = null
    const value = question(this.scope)
    const error = this.scope.fault
    this.scope.fault = null
    return { value, error }
  }
}
