import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { mergeStreams } from "../../../kernel/merge-streams.js"
import { type Stream, streamUntilLeft } from "../../../kernel/stream-until-left.js"
import type { InsightsService } from "../../insights/index.js"
import type { QueryObject, RefreshMode } from "../../queries/index.js"
import type { Dashboard } from "../dashboards.types.js"
import { showTiles } from "../show-tiles.js"
import { type FollowTileDependencies, followTile, type TileOutcome } from "./follow-tile.js"

export interface FollowDashboardDependencies extends FollowTileDependencies {
  readonly dashboards: { findMany(projectId: ProjectId, shortIds: readonly string[]): Promise<readonly Dashboard[]> }
  readonly insights: Pick<InsightsService, "findMany">
}

export type FollowDashboard = ReturnType<typeof createFollowDashboard>

/** Follows the tiles of dashboards. */
export function createFollowDashboard(dependencies: FollowDashboardDependencies) {
  const { dashboards, insights } = dependencies
  /**
   * What the tiles come to, in the order in which they do; those that the caller may not run are named once.
   * @param findRefusal why the caller may not run a query; null when they may
   * @throws AppError not_found.
   */
  return async (
    projectId: ProjectId,
    shortId: string,
    refresh: RefreshMode,
    findRefusal: (query: QueryObject) => Promise<AppError | null>,
  ): Promise<Stream<TileOutcome>> => {
    const [dashboard] = await dashboards.findMany(projectId, [shortId])
    if (dashboard === undefined || dashboard.deleted) throw new AppError("not_found")
    const named = dashboard.tiles.flatMap(({ insight }) => insight ?? [])
    const found = new Map((await insights.findMany(projectId, named)).map((insight) => [insight.shortId, insight]))
    const tiles = await showTiles(dashboard, async (key) => found.get(key) ?? null)
    const feeds = tiles.flatMap(({ id: tileId, query }) => (query === null ? [] : [{ tileId, query }]))
    return mergeStreams(
      await Promise.all(
        feeds.map(async (tile) => {
          const fault = await findRefusal(tile.query)
          if (fault === null) return followTile(dependencies, projectId, tile, refresh)
          return toSingle({ ...tile, outcome: null, fault })
        }),
      ),
    )
  }
}

function toSingle(outcome: TileOutcome): Stream<TileOutcome> {
  async function* give(): AsyncGenerator<TileOutcome> {
    yield outcome
  }
  return streamUntilLeft(give(), () => undefined)
}
