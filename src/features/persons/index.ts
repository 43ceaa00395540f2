import { EventActorsResolver } from "./actors/event-actors.resolver.js"
import { PersonChangesResolver } from "./changes/person-changes.resolver.js"
import { PersonsResolver } from "./persons.resolver.js"

export type { RunHogql } from "./actors/event-actors.service.js"
export type { PersonEvents } from "./changes/person-changes.service.js"
export type {
  Group,
  GroupType,
  Person,
  PersonDirectory,
  PersonFilter,
} from "./directory/person-directory.types.js"
export { personNumberOf } from "./directory/person-number.js"
export { GEO_IP_PARTS, type GeoIp, type GeoIpLocation } from "./geo-ip/geo-ip.types.js"
export type { PersonLoaders } from "./person.loader.js"
export { nameOf, orderDistinctIds } from "./person-name.js"
export { personIdOf } from "./person-uuid.js"
export { createGeoIp, createPersonsFeature, type PersonsFeatureDependencies } from "./persons.feature.js"
export { PersonType } from "./persons.graphql.js"
export type {
  AskedOfEvent,
  DeletedPersons,
  DistinctIdRecord,
  GroupRecord,
  GroupTypeRecord,
  PersonDeletions,
  PersonMerge,
  PersonMergeListener,
  PersonRecord,
  PersonStore,
  ProjectChanges,
  ProjectFacts,
  ProjectQuestion,
} from "./persons.types.js"
export { collectQuestion, QuestionCollector, readAsked } from "./process/collect-question.js"
export { isGroupIdentify } from "./process/event-names.js"
export { groupsNamedBy, MAX_GROUP_TYPES } from "./process/group-registry.js"
export { isIllegalForMerge } from "./process/illegal-distinct-ids.js"
export { PersonWorkspace } from "./process/person-workspace.js"
export type {
  KeptEvent,
  PersonEvent,
  ProcessingWarning,
} from "./process/process.types.js"
export { createPersonStore } from "./slice/person.store.js"
export { loadPersonFacts } from "./slice/person-facts.store.js"
export { SlicePersons } from "./slice/slice-persons.js"

/** Every resolver class of this feature. */
export const personResolverClasses = [PersonsResolver, PersonChangesResolver, EventActorsResolver] as const
