export { createQueriesFeature, type QueriesFeatureDependencies } from "./queries.feature.js"
export { QueriesResolver } from "./queries.resolver.js"
