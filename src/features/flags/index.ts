import { CohortEntity } from "../cohorts/index.js"
import { FlagEntity } from "./flag.entity.js"

export type { ConfigCall, DecideCall, DecideEndpoint, DecideReply } from "./decide.endpoint.js"
export { createFlagsFeature, type FlagsFeature, type FlagsFeatureDependencies } from "./flags.feature.js"
export { FlagsResolver } from "./flags.resolver.js"
export type { FlagQuota } from "./flags.types.js"

/** What `openDatabase` must know of flags and the cohorts they ask for. */
export const flagEntities = [FlagEntity, CohortEntity]
