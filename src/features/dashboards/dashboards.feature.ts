import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { BasicUser } from "../access/index.js"
import { createFavouritesLoader } from "../insights/index.js"
import type { QueriesService } from "../queries/index.js"
import { createDashboardRepository } from "./dashboard.repository.js"
import { DashboardsResolver } from "./dashboards.resolver.js"
import { createDashboardsService, type DashboardsDependencies } from "./dashboards.service.js"
import { DashboardResultsResolver } from "./live/dashboard-results.resolver.js"
import { createFollowDashboard } from "./live/follow-dashboard.service.js"
import { createShareLinkRepository } from "./share/share-link.repository.js"
import { ShareLinksResolver } from "./share/share-links.resolver.js"
import { createShareLinksService } from "./share/share-links.service.js"
import { SharedDashboardResolver } from "./share/shared-dashboard.resolver.js"
import { createSharedDashboardService } from "./share/shared-dashboard.service.js"

export interface DashboardsFeatureDependencies
  extends Omit<DashboardsDependencies, "repository" | "queries">,
    Pick<Platform, "database" | "ids"> {
  readonly queries: QueriesService
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires dashboards: PostgreSQL, use cases, resolvers. */
export function createDashboardsFeature({ database, ids, userLoader, ...rest }: DashboardsFeatureDependencies) {
  const { records } = database
  const service = createDashboardsService({ ...rest, repository: createDashboardRepository(records, ids) })
  const links = createShareLinkRepository(records, ids)
  return {
    resolvers: [
      new DashboardsResolver(service, rest.insights, createFavouritesLoader(records), userLoader),
      new DashboardResultsResolver(createFollowDashboard({ ...rest, dashboards: service })),
      new ShareLinksResolver(createShareLinksService({ ...rest, links, dashboards: service, ids })),
      new SharedDashboardResolver(createSharedDashboardService({ ...rest, links })),
    ],
  }
}
