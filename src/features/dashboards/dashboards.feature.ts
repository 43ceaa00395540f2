import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { BasicUser } from "../access/index.js"
import { createFavouritesLoader } from "../insights/index.js"
import { createDashboardRepository } from "./dashboard.repository.js"
import { DashboardsResolver } from "./dashboards.resolver.js"
import { createDashboardsService, type DashboardsDependencies } from "./dashboards.service.js"
import { DashboardResultsResolver } from "./live/dashboard-results.resolver.js"
import { createFollowDashboard, type FollowDashboardDependencies } from "./live/follow-dashboard.service.js"

export interface DashboardsFeatureDependencies
  extends Omit<DashboardsDependencies, "repository" | "queries">,
    Pick<Platform, "database" | "ids"> {
  readonly queries: DashboardsDependencies["queries"] & FollowDashboardDependencies["queries"]
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires dashboards: PostgreSQL, use cases, resolvers. */
export function createDashboardsFeature({ database, ids, userLoader, ...rest }: DashboardsFeatureDependencies) {
  const { records } = database
  const service = createDashboardsService({ ...rest, repository: createDashboardRepository(records, ids) })
  return {
    resolvers: [
      new DashboardsResolver(service, rest.insights, createFavouritesLoader(records), userLoader),
      new DashboardResultsResolver(createFollowDashboard({ ...rest, dashboards: service })),
    ],
  }
}
