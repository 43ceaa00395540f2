export { createServerHealthFeature } from "./server-health.feature.js"
export { ServerHealthResolver } from "./server-health.resolver.js"
