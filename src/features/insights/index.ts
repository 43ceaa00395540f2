export { insightEntities } from "./insight.entity.js"
export { addInsight } from "./insight.repository.js"
export { createInsightsFeature } from "./insights.feature.js"
export { InsightsResolver } from "./insights.resolver.js"
export type { InsightsService } from "./insights.service.js"
export type { Insight } from "./insights.types.js"
export { readSaved, readSavedFilter } from "./saved/read-saved.js"
export { SavedFilterInput, SavedInput, SavedType } from "./saved/saved.graphql.js"
export {
  completeChange,
  createFavouritesLoader,
  type FavouritesLoader,
  NEWEST_CHANGE_FIRST,
  toSavedConditions,
} from "./saved/saved.repository.js"
export type { Saved, SavedBy, SavedFilter } from "./saved/saved.types.js"
