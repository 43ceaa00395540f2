export { pluginEntities } from "./plugin.entity.js"
export { createPluginsFeature } from "./plugins.feature.js"
export { PluginsResolver } from "./plugins.resolver.js"
export type { GeoIpPlugin } from "./plugins.types.js"
