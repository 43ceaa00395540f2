export { GEO_IP_PARTS, type GeoIp, type GeoIpLocation } from "./geo-ip.types.js"
export { createPersonStore } from "./person.store.js"
export { personIdOf } from "./person-uuid.js"
export type {
  DistinctIdRecord,
  GroupRecord,
  GroupTypeRecord,
  PersonMerge,
  PersonMergeListener,
  PersonRecord,
  PersonStore,
  ProjectChanges,
  ProjectFacts,
  ProjectQuestion,
} from "./persons.types.js"
export { collectQuestion } from "./process/collect-question.js"
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
