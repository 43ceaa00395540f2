/**
 * The engine that decides feature flags: what is stored of a project's flags (`definition/`) is compiled to rules
 * (`compile/`), and rules are evaluated for one caller (`evaluate/`) to a value with its reason. Pure: no I/O, no clock.
 */
export { readCohortId } from "./compile/cohort.js"
export { type CompiledFlag, type CompiledRules, compileContextOf, compileStepwise } from "./compile/compile-rules.js"
export { compileCondition } from "./compile/condition.js"
export type { BucketingIdentifier } from "./compile/identifier.js"
export { buildRules } from "./definition/build-rules.js"
export { dependenciesOf, namesOf, orderByDependency } from "./definition/dependency-order.js"
export { cohortsReachedFrom, flagsNamingCohort } from "./definition/fact-needs.js"
export { type FlagNames, resolveFlagReference } from "./definition/flag-reference.js"
export {
  type Condition,
  DefinitionFault,
  type Filter,
  type FlagDefinition,
  readFilter,
  readFlagDefinition,
} from "./definition/read-definition.js"
export {
  type EvaluationRuntime,
  type FactNeeds,
  type GroupType,
  RULE_DOCUMENT_FORMAT,
  type RuleDocument,
  type RuleFlag,
  type RuleSource,
  type StoredCohort,
  type StoredFlag,
} from "./definition/rule-document.types.js"
export { sameValueForEverybody } from "./definition/same-value.js"
export { leavesOfCohort } from "./definition/stored-filters.js"
export { evaluateFlags, planFlags } from "./evaluate/evaluate-flags.js"
export { createScope } from "./evaluate/evaluation-scope.js"
export { explainFlag } from "./evaluate/explain-flag.js"
export type { FlagExplanation } from "./evaluate/flag-explanation.types.js"
export type {
  EvaluationFacts,
  FlagErrorCode,
  FlagResult,
  GroupSource,
  PropertySource,
  ReasonCode,
  ResultText,
} from "./evaluation.types.js"
export { cutIdentifier, type Variant } from "./hashing/bucketing.js"
export { FlagHash } from "./hashing/flag-hash.js"
export { compileLinearRegex, RegexFault } from "./operators/linear-regex.js"
export { isPresenceOperator, PROPERTY_OPERATORS } from "./operators/operators.js"
export { personFilterRules } from "./operators/person-filter-rules.js"
export { toText } from "./operators/property-value.js"
