import { DashboardsResolver } from "./dashboards.resolver.js"
import { DashboardResultsResolver } from "./live/dashboard-results.resolver.js"

export { dashboardEntities } from "./dashboard.entity.js"
export { createDashboardsFeature } from "./dashboards.feature.js"

/** Every resolver class of this feature. */
export const dashboardResolverClasses = [DashboardsResolver, DashboardResultsResolver] as const
