export { insightEntities } from "./insight.entity.js"
export { createInsightsFeature } from "./insights.feature.js"
export { InsightsResolver } from "./insights.resolver.js"
