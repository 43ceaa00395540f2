import { EventDeletionsResolver } from "./event-deletions/event-deletions.resolver.js"
import { ProjectStorageResolver } from "./storage/project-storage.resolver.js"

export { createAgeingFeature } from "./ageing.feature.js"
export { ageingEntities } from "./event-deletions/event-deletion.entity.js"

/** Every resolver class of this feature. */
export const ageingResolverClasses = [EventDeletionsResolver, ProjectStorageResolver] as const
