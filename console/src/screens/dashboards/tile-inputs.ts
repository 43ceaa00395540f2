import type { DashboardTileInput } from "../../graph/generated/graphql"
import { findFreePlace, type Placed } from "./layout"

/** A tile to be: an insight, by its short id, or a text. */
export type NewTile = { readonly insight: string } | { readonly text: string }

interface StoredTile extends Placed {
  readonly text: string | null
  readonly insight: { readonly shortId: string } | null
}

const NEW_SIZE = { w: 6, h: 4 }

/** Tiles as a change of a dashboard takes them: all of them, also those that stay. */
export const toTileInputs = (tiles: readonly StoredTile[]): DashboardTileInput[] =>
  tiles.map(({ id, x, y, w, h, text, insight }) => ({ id, x, y, w, h, text, insight: insight?.shortId }))

/** The tiles with another one where there is room. */
export const addTile = (tiles: readonly StoredTile[], tile: NewTile): DashboardTileInput[] => [
  ...toTileInputs(tiles),
  { ...findFreePlace(tiles, NEW_SIZE), ...tile },
]
