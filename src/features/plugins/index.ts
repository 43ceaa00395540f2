export type { GeoIpPlugin } from "./geo-ip.plugin.js"
export { pluginEntities } from "./plugin.entity.js"
export { createPluginsFeature } from "./plugins.feature.js"
export { PluginsResolver } from "./plugins.resolver.js"
