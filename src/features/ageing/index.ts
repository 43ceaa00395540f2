import { EventDeletionsResolver } from "./event-deletions/event-deletions.resolver.js"
import { ProjectDeletionsResolver } from "./project-deletions/project-deletions.resolver.js"
import { ProjectStorageResolver } from "./storage/project-storage.resolver.js"

export { createAgeingFeature } from "./ageing.feature.js"
export { ageingEntities } from "./event-deletions/event-deletion.entity.js"

/** Every resolver class of this feature. */
export const ageingResolverClasses = [EventDeletionsResolver, ProjectDeletionsResolver, ProjectStorageResolver] as const
