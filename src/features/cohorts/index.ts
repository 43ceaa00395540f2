export { CohortEntity } from "./cohort.entity.js"
export { type CohortsFeature, type CohortsFeatureDependencies, createCohortsFeature } from "./cohorts.feature.js"
export { CohortType } from "./cohorts.graphql.js"
export { CohortsResolver } from "./cohorts.resolver.js"
export type { CohortsService } from "./cohorts.service.js"
export type { Cohort } from "./cohorts.types.js"
export {
  type CohortMemberCopies,
  createCohortMemberCopies,
  type MemberCopiesDependencies,
} from "./member-copies.store.js"
export { moveCohortMembers, removeDeletedMembers } from "./member-moves.store.js"
export { createQueues } from "./one-at-a-time.js"
export { lockRules, readRulesVersion } from "./rules-version.store.js"
