export type { PluginLogsService } from "./plugin-logs.service.js"
export { createPluginsFeature, type PluginsFeatureDependencies } from "./plugins.feature.js"
export { PluginsResolver } from "./plugins.resolver.js"
export type { GeoIpPlugin, PluginLogRequest } from "./plugins.types.js"
