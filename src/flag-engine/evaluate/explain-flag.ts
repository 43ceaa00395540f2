import type { Json } from "../../kernel/json.js"
import { compileCohortFilter } from "../compile/compile-cohorts.js"
import { compileFilter } from "../compile/compile-filter.js"
import { compileFlag, toRolloutInput } from "../compile/compile-flag.js"
import type { CompiledCondition, CompiledFlag, CompiledRules } from "../compile/compiled-rules.types.js"
import { placeFlag } from "../compile/place-flag.js"
import { groupProperty, personProperty } from "../compile/property-lookup.js"
import { type Condition, type Filter, tryReadFlagDefinition } from "../definition/read-definition.js"
import type { RuleFlag } from "../definition/rule-document.types.js"
import type { EvaluationFacts, EvaluationScope } from "../evaluation.types.js"
import type { HashInput } from "../hashing/hash-batch.types.js"
import { hashIdentifier } from "../hashing/hash-identifier.js"
import type { FlagErrorCode } from "../results/flag-result.types.js"
import { evaluateCondition, evaluateFlag } from "./evaluate-flag.js"
import { createScope } from "./evaluate-flags.js"
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
  for (const one of dependencies) scope.results[one.position] = evaluateFlag(one, scope)
  const position = rules.document.flags.indexOf(flag)
  const result = flag.active ? (scope.results[position] ?? null) : null
  // By itself, because rules have neither inactive flags nor the conditions of one that depends on a missing flag.
  const inputs: HashInput[] = []
  const rule = compileFlag({ ...flag, dependencyFault: null }, rules.context)
  const compiled = placeFlag(flag, position, rule, inputs)
  const explainer = new Explainer(rules, compiled, { ...scope, hashes: rules.context.createHashBatch(inputs) })
  // A definition that cannot be read has no conditions; the result says what is wrong with it.
  const stored = tryReadFlagDefinition(flag.filters)?.conditions ?? []
  const conditions = rule.conditions.flatMap((condition, index) => {
    const definition = stored[index]
    return definition === undefined ? [] : [explainer.explainCondition(condition, definition, index)]
  })
  return { key: flag.key, active: flag.active, result, conditions }
}

class Explainer {
  constructor(
    private readonly rules: CompiledRules,
    private readonly flag: CompiledFlag,
    private readonly scope: EvaluationScope,
  ) {}

  explainCondition(compiled: CompiledCondition, definition: Condition, index: number): ConditionExplanation {
    const { groupTypeIndex, rolloutPercentage, variant, filters } = definition
    const { key, bucketing } = this.flag
    const { value: outcome, error } = this.ask((scope) => evaluateCondition(compiled, this.flag, scope))
    const { value: identifier } = this.ask((scope) => rolloutIdentifier(scope, bucketing, groupTypeIndex))
    return {
      index,
      matched: outcome === "condition_match" && error === null,
      outcome,
      filters: filters.map((filter) => this.explainFilter(filter, groupTypeIndex)),
      rolloutPercentage,
      groupTypeIndex,
      identifier,
      bucket: identifier === null ? null : identifier === "" ? 0 : hashIdentifier(toRolloutInput(key), identifier),
      variant,
    }
  }

  private explainFilter(filter: Filter, groupTypeIndex: number | null): FilterExplanation {
    const { value: matched, error } = this.ask(compileFilter(filter, groupTypeIndex, this.rules.context))
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
    const { context } = this.rules
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
        return compileCohortFilter({ ...filter, operator: "in", hasOperator: true }, context.cohorts)(scope)
      case "flag": {
        const result = scope.results[context.findFlagPosition(filter) ?? -1]
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
