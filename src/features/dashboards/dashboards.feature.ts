import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { BasicUser } from "../access/index.js"
import { createFavouritesLoader } from "../insights/index.js"
import { createDashboardRepository } from "./dashboard.repository.js"
import { DashboardsResolver } from "./dashboards.resolver.js"
import { createDashboardsService, type DashboardsDependencies } from "./dashboards.service.js"

export interface DashboardsFeatureDependencies
  extends Omit<DashboardsDependencies, "repository">,
    Pick<Platform, "database" | "ids"> {
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires dashboards: PostgreSQL, use cases, resolvers. */
export function createDashboardsFeature({ database, ids, userLoader, ...rest }: DashboardsFeatureDependencies) {
  const { records } = database
  const service = createDashboardsService({ ...rest, repository: createDashboardRepository(records, ids) })
  return {
    resolvers: [new DashboardsResolver(service, rest.insights, createFavouritesLoader(records), userLoader)],
  }
}
