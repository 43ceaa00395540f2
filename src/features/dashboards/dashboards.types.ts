import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { Saved, SavedFilter } from "../insights/index.js"
import type { QueryObject } from "../queries/index.js"
import type { DashboardInput, DashboardTileInput } from "./dashboards.graphql.js"

/** Where a tile lies in a grid of twelve columns, in cells from the upper left corner. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** A tile as it is stored: an insight or a text. */
export interface Tile extends Place {
  /** Names it within the dashboard. */
  readonly id: string
  /** Short id of the insight; null for a text. */
  readonly insight: string | null
  /** Source in Markdown; null for an insight. */
  readonly text: string | null
}

/** Insights and texts in a grid (`docs/graphql.md#insights-and-dashboards`). */
export interface Dashboard extends Saved {
  readonly pinned: boolean
  /** `{date_from, date_to, properties}` over all tiles, each absent where nothing is said. */
  readonly filters: JsonObject
  readonly tiles: readonly Tile[]
  /** Rises with each change of the tiles. */
  readonly version: number
}

/** A tile with what its insight is now. */
export interface ShownTile extends Tile {
  readonly projectId: ProjectId
  /** Name of the insight; null for a text. */
  readonly name: string | null
  readonly isInsightDeleted: boolean
  /** What is run: the query of the insight under the dashboard's filters; null where nothing is. */
  readonly query: QueryObject | null
  /** Whether the query has no place for some of the filters. */
  readonly isUnfiltered: boolean
}

/** What a caller writes; an absent field stays as it is. */
export type DashboardRequest = Readonly<DashboardInput>
export type TileRequest = Readonly<DashboardTileInput>

/** Conditions of a list; all given ones must hold. */
export interface DashboardFilter extends SavedFilter {
  readonly pinned?: boolean | undefined
  /** Short id of an insight that is on it. */
  readonly insight?: string | undefined
}
