import { DashboardEntity } from "./dashboard.entity.js"
import { DashboardsResolver } from "./dashboards.resolver.js"
import { DashboardResultsResolver } from "./live/dashboard-results.resolver.js"
import { ShareLinkEntity } from "./share/share-link.entity.js"
import { ShareLinksResolver } from "./share/share-links.resolver.js"
import { SharedDashboardResolver } from "./share/shared-dashboard.resolver.js"

export { createDashboardsFeature } from "./dashboards.feature.js"
export { createFirstDashboard } from "./first-dashboard.repository.js"

/** What `openDatabase` must know of this feature. */
export const dashboardEntities = [DashboardEntity, ShareLinkEntity]

/** Every resolver class of this feature. */
export const dashboardResolverClasses = [
  DashboardsResolver,
  DashboardResultsResolver,
  ShareLinksResolver,
  SharedDashboardResolver,
] as const
