import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { BasicUser } from "../access/index.js"
import { createInsightRepository } from "./insight.repository.js"
import { InsightsResolver } from "./insights.resolver.js"
import { createInsightsService, type InsightsDependencies } from "./insights.service.js"
import { createFavouritesLoader } from "./saved/saved.repository.js"

export interface InsightsFeatureDependencies
  extends Omit<InsightsDependencies, "repository">,
    Pick<Platform, "database" | "ids"> {
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires insights: PostgreSQL, use cases, resolver. */
export function createInsightsFeature({ database, ids, userLoader, ...rest }: InsightsFeatureDependencies) {
  const { records } = database
  const service = createInsightsService({ ...rest, repository: createInsightRepository(records, ids) })
  return { service, resolver: new InsightsResolver(service, createFavouritesLoader(records), userLoader) }
}
