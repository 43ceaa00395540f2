import { CohortEntity, CohortsResolver } from "../cohorts/index.js"
import { DecideResolver } from "./decide.resolver.js"
import { FlagEntity } from "./flag.entity.js"
import { FlagActivityResolver } from "./flag-activity.resolver.js"
import { FlagChangesResolver } from "./flag-changes.resolver.js"
import { FlagCopiesResolver } from "./flag-copies.resolver.js"
import { FlagEvaluationsResolver } from "./flag-evaluations.resolver.js"
import { FlagInsightsResolver } from "./flag-insights.resolver.js"
import { FlagsResolver } from "./flags.resolver.js"

export type { BrowserListEndpoint } from "./browser-lists.endpoint.js"
export type { ConfigCall, DecideCall, DecideEndpoint, DecideReply } from "./decide.endpoint.js"
export type { FlagStreamEndpoint } from "./flag-stream.endpoint.js"
export { createFlagsFeature, type FlagsFeature, type FlagsFeatureDependencies } from "./flags.feature.js"
export type { FlagQuota, RuleFreshness } from "./flags.types.js"
export { forgetHashKeys } from "./hash-key-deletion.store.js"
export type { OfrepEndpoint } from "./ofrep.endpoint.js"
export { changesSomething, createPendingChanges, type PendingChanges } from "./own-writes/pending-changes.js"
export { personFilterRules } from "./person-filter-rules.js"
export { hasRuleSnapshots } from "./rule-snapshots-at-hand.store.js"
export { createSharedChanges } from "./shared-changes.store.js"

export { FLAG_SETTING_CHECKS } from "./validate/check-settings.js"

/** What `openDatabase` must know of flags and the cohorts they ask for. */
export const flagEntities = [FlagEntity, CohortEntity]

/** Every resolver class of this feature and of cohorts, which it wires. */
export const flagResolverClasses = [
  FlagsResolver,
  DecideResolver,
  FlagActivityResolver,
  FlagChangesResolver,
  FlagInsightsResolver,
  FlagEvaluationsResolver,
  FlagCopiesResolver,
  CohortsResolver,
] as const
