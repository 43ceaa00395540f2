import type { Insight } from "../insights/index.js"
import { layFilters } from "../queries/index.js"
import type { Dashboard, ShownTile, Tile } from "./dashboards.types.js"

/** Tiles of a dashboard with what their insights are now. @param find gives an insight by its short id, deleted or not */
export async function showTiles(
  { projectId, tiles, filters }: Dashboard,
  find: (shortId: string) => Promise<Insight | null>,
): Promise<ShownTile[]> {
  const showText = (tile: Tile): ShownTile => ({ ...tile, ...NOTHING, projectId })
  return Promise.all(
    tiles.map(async (tile) => {
      const insight = tile.insight === null ? null : await find(tile.insight)
      if (insight === null) return showText(tile)
      if (insight.deleted) return { ...showText(tile), name: insight.name, isInsightDeleted: true }
      const { query, isWhole } = layFilters(insight.query, filters)
      return { ...showText(tile), name: insight.name, query, isUnfiltered: !isWhole }
    }),
  )
}

const NOTHING = { name: null, isInsightDeleted: false, query: null, isUnfiltered: false } as const
