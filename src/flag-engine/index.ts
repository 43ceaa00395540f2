/**
 * The engine that decides feature flags. What is stored of a project's flags becomes a rule document (`definition/`), the
 * document is compiled to rules (`compile/`), and rules are evaluated for one caller (`evaluate/`) to results with their
 * reasons (`results/`). Pure: no I/O, no clock.
 */
export { createRuleCompiler, type RuleCompiler } from "./compile/compile-rules.js"
export type { CompiledFlag, CompiledRules, ListNeeds } from "./compile/compiled-rules.types.js"
export { joinNeeds } from "./compile/flag-list.js"
export { buildRules } from "./definition/build-rules.js"
export { findDependencies, orderByDependency, toFlagNames } from "./definition/dependency-order.js"
export { findFlagsUsingCohort, findReachedCohorts } from "./definition/fact-needs.js"
export { type FlagNames, resolveFlagReference } from "./definition/flag-reference.js"
export {
  type Condition,
  DefinitionFault,
  type Filter,
  type FlagDefinition,
  readFilter,
  readFlagDefinition,
  tryReadFlagDefinition,
  type Variant,
} from "./definition/read-definition.js"
export {
  type BucketingIdentifier,
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
export { listCohortLeaves, readCohortId } from "./definition/stored-filters.js"
export { evaluateFlags } from "./evaluate/evaluate-flags.js"
export { explainFlag } from "./evaluate/explain-flag.js"
export type { FlagExplanation } from "./evaluate/flag-explanation.types.js"
export { selectFlags } from "./evaluate/select-flags.js"
export type { EvaluationFacts, GroupSource, PropertySource } from "./evaluation.types.js"
export { cutIdentifier } from "./hashing/bucketing.js"
export { compileLinearRegex, RegexFault } from "./operators/linear-regex.js"
export { isPresenceOperator, PROPERTY_OPERATORS } from "./operators/operators.js"
export { personFilterRules } from "./operators/person-filter-rules.js"
export { toText } from "./operators/property-value.js"
export type { FlagErrorCode, FlagResult, ReasonCode, ResultText } from "./results/flag-result.types.js"
export { FlagResults } from "./results/flag-results.js"
