import { ChangeRequestEntity } from "./approval/change-request.entity.js"
import { ChangeRequestsResolver } from "./approval/change-requests.resolver.js"
import { FlagEdgesResolver } from "./audience/flag-edges.resolver.js"
import { FlagCopiesResolver } from "./copy/flag-copies.resolver.js"
import { DecideResolver } from "./decide/decide.resolver.js"
import { FlagChangesResolver } from "./definitions/flag-changes.resolver.js"
import { FlagDefinitionsResolver } from "./definitions/flag-definitions.resolver.js"
import { FlagEvaluationsResolver } from "./explain/flag-evaluations.resolver.js"
import { FlagEntity } from "./manage/flag.entity.js"
import { FlagActivityResolver } from "./manage/flag-activity.resolver.js"
import { FlagsResolver } from "./manage/flags.resolver.js"
import { ScheduledChangeEntity } from "./schedule/scheduled-change.entity.js"
import { ScheduledChangesResolver } from "./schedule/scheduled-changes.resolver.js"
import { FlagInsightsResolver } from "./usage/flag-insights.resolver.js"

export { forgetHashedIds, forgetHashKeys } from "./decide/hash-key-deletion.store.js"
export type { FlagStreamEndpoint } from "./definitions/flag-stream.endpoint.js"
export type { RulesRevision } from "./definitions/watch-rules.js"
export { createFlagsFeature } from "./flags.feature.js"
export { reencryptPayloads } from "./manage/reencrypt-payloads.repository.js"
export { hasRuleSnapshots } from "./projects/rule-snapshots-at-hand.store.js"
export { createPendingChanges } from "./read-your-writes/pending-changes.js"
export { createSharedChanges } from "./read-your-writes/shared-changes.store.js"
export { checkCohortLeaf } from "./validate/check-cohort-leaf.js"
export { findUndecidable } from "./validate/check-filter.js"
export { FLAG_SETTING_CHECKS } from "./validate/check-settings.js"

/** What `openDatabase` must know of this feature. */
export const flagEntities = [FlagEntity, ScheduledChangeEntity, ChangeRequestEntity]

/** Every resolver class of this feature. */
export const flagResolverClasses = [
  FlagsResolver,
  DecideResolver,
  FlagDefinitionsResolver,
  FlagActivityResolver,
  FlagChangesResolver,
  FlagInsightsResolver,
  FlagEvaluationsResolver,
  FlagEdgesResolver,
  FlagCopiesResolver,
  ScheduledChangesResolver,
  ChangeRequestsResolver,
] as const
