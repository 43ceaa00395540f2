import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { hashSecret } from "../../access/index.js"
import type { InsightsService } from "../../insights/index.js"
import { isPublic, type QueriesService, type QueryResult, showPublicly } from "../../queries/index.js"
import { showTiles } from "../show-tiles.js"
import type { ShareLinkRepository } from "./share-link.repository.js"
import type { SharedDashboardType, SharedTile } from "./shared-dashboard.graphql.js"

/** Real tokens have 47 characters; longer ones are not hashed. */
const MAX_TOKEN_LENGTH = 100

export interface SharedDashboardDependencies {
  readonly links: Pick<ShareLinkRepository, "findShared">
  readonly insights: Pick<InsightsService, "findMany">
  readonly queries: Pick<QueriesService, "answer">
  readonly clock: Clock
}

export type SharedDashboardService = ReturnType<typeof createSharedDashboardService>

/** What whoever has the token of a link may see: name, tiles and what they come to, and nothing else. */
export function createSharedDashboardService({ links, insights, queries, clock }: SharedDashboardDependencies) {
  return {
    /** @throws AppError not_found, the same for a token that nobody has and one that has ended. */
    async find(token: string): Promise<SharedDashboardType> {
      const hash = token.length > MAX_TOKEN_LENGTH ? null : hashSecret(token)
      const dashboard = hash && (await links.findShared(hash, new Date(clock.now())))
      if (!dashboard) throw new AppError("not_found", { detail: "There is no such link, or it has ended." })
      const named = dashboard.tiles.flatMap(({ insight }) => insight ?? [])
      const found = new Map((await insights.findMany(dashboard.projectId, named)).map((one) => [one.shortId, one]))
      const tiles = await showTiles(dashboard, async (key) => found.get(key) ?? null)
      return { name: dashboard.name, tiles }
    },

    /**
     * What a tile comes to: the answer that is kept, or a calculated one. Null for a text, and where an answer would show more
     * than numbers.
     * @throws AppError without a word about the query
     */
    async run({ projectId, query }: SharedTile): Promise<QueryResult | null> {
      if (query === null || !isPublic(query)) return null
      try {
        const outcome = await queries.answer(projectId, { query, clientQueryId: null, refresh: "blocking" })
        return outcome.is === "answered" ? showPublicly(outcome.body) : null
      } catch (fault) {
        if (!(fault instanceof AppError)) throw fault
        const { retryAfterSeconds } = fault.details
        throw new AppError(fault.code, { cause: fault, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
      }
    },
  }
}
