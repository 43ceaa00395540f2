import { EventActorsResolver } from "./event-actors.resolver.js"
import { PersonChangesResolver } from "./person-changes.resolver.js"
import { PersonsResolver } from "./persons.resolver.js"

export type { RunHogql } from "./event-actors.service.js"
export { GEO_IP_PARTS, type GeoIp, type GeoIpLocation } from "./geo-ip.types.js"
export type { InProject, PersonLoaders } from "./person.loader.js"
export { createPersonStore } from "./person.store.js"
export type { PersonEvents } from "./person-changes.service.js"
export type {
  Group,
  GroupType,
  Person,
  PersonDirectory,
  PersonFilter,
  PropertyValue,
} from "./person-directory.types.js"
export { loadPersonFacts } from "./person-facts.store.js"
export { nameOf, orderDistinctIds } from "./person-name.js"
export { personNumberOf } from "./person-number.js"
export { personIdOf } from "./person-uuid.js"
export { createGeoIp, createPersonsFeature, type PersonsFeatureDependencies } from "./persons.feature.js"
export { PersonType } from "./persons.graphql.js"
export type { PersonsService } from "./persons.service.js"
export type {
  DeletedPersons,
  DistinctIdRecord,
  GroupRecord,
  GroupTypeRecord,
  PendingCopies,
  PersonDeletionListener,
  PersonDeletions,
  PersonMerge,
  PersonMergeListener,
  PersonRecord,
  PersonStore,
  ProjectChanges,
  ProjectFacts,
  ProjectQuestion,
} from "./persons.types.js"
export { collectQuestion, QuestionCollector } from "./process/collect-question.js"
export { isGroupIdentify } from "./process/event-names.js"
export { groupsNamedBy, MAX_GROUP_TYPES } from "./process/group-registry.js"
export { PersonWorkspace } from "./process/person-workspace.js"
export type {
  DroppedEvent,
  EventPerson,
  KeptEvent,
  PersonEvent,
  PersonMode,
  ProcessedEvent,
  ProcessingWarning,
} from "./process/process.types.js"
export { SlicePersons } from "./slice-persons.js"
export { waitAtMost } from "./wait-at-most.js"

/** Every resolver class of this feature. */
export const personResolverClasses = [PersonsResolver, PersonChangesResolver, EventActorsResolver] as const
