import { EventActorsResolver } from "./actors/event-actors.resolver.js"
import { PersonChangesResolver } from "./changes/person-changes.resolver.js"
import { PersonsResolver } from "./directory/persons.resolver.js"
import { PersonEdgesResolver } from "./edges/person-edges.resolver.js"
import { StoredEventsResolver } from "./events/stored-events.resolver.js"

export type { RunHogql } from "./actors/event-actors.service.js"
export { BatchPersons } from "./batch/batch-persons.js"
export { createPersonStore } from "./batch/person.store.js"
export { loadPersonFacts } from "./batch/person-facts.store.js"
export type { PersonEvents } from "./changes/person-changes.service.js"
export { createDeletionIds } from "./deletion/deletion-ids.store.js"
export { createDeletionSessions } from "./deletion/deletion-sessions.store.js"
export { createConditionForgetter } from "./deletion/forget-in-conditions.store.js"
export type { PersonLoaders } from "./directory/person.loader.js"
export type { PersonDirectory } from "./directory/person-directory.store.js"
export { toPersonNumber } from "./directory/person-number.js"
export type { Person } from "./directory/persons.graphql.js"
export { GEO_IP_PARTS, type GeoIp, type GeoIpLocation } from "./geo-ip/geo-ip.types.js"
export { MaxMindGeoIp } from "./geo-ip/max-mind-geo-ip.store.js"
export { choosePersonName, orderDistinctIds } from "./person-name.js"
export { derivePersonId } from "./person-uuid.js"
export { createPersonsFeature, type PersonsFeatureDependencies } from "./persons.feature.js"
export type {
  DeletedPersons,
  DistinctIdRecord,
  EventLookup,
  GroupRecord,
  GroupTypeRecord,
  KeptAnswers,
  KeptSessions,
  PendingCopies,
  PersonMerge,
  PersonMergeListener,
  PersonRecord,
  PersonStore,
  ProjectChanges,
  ProjectFacts,
  ProjectLookup,
} from "./persons.types.js"
export { collectLookup, readEventLookup, toProjectLookup } from "./process/event-lookup.js"
export { isGroupIdentify } from "./process/event-names.js"
export { MAX_GROUP_TYPES, readNamedGroups } from "./process/group-registry.js"
export { isIllegalForMerge } from "./process/illegal-distinct-ids.js"
export { PersonWorkspace } from "./process/person-workspace.js"
export type {
  KeptEvent,
  PersonEvent,
  ProcessingWarning,
  WarningType,
} from "./process/process.types.js"

/** Every resolver class of this feature. */
export const personResolverClasses = [
  PersonsResolver,
  PersonChangesResolver,
  EventActorsResolver,
  StoredEventsResolver,
  PersonEdgesResolver,
] as const
