/** Where something stands in a grid of twelve columns. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Something that stands in the grid. */
export interface Placed extends Place {
  readonly id: string
}

export const COLUMNS = 12
const LEAST_WIDTH = 2

const overlap = (a: Place, b: Place): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** The same place, moved and sized so that it is within the grid. */
function keepInGrid({ x, y, w, h }: Place): Place {
  const width = clamp(w, LEAST_WIDTH, COLUMNS)
  return { x: clamp(x, 0, COLUMNS - width), y: Math.max(y, 0), w: width, h: Math.max(h, 1) }
}

/** The first place, row by row, where something of a size covers no tile. */
export function findFreePlace(tiles: readonly Place[], { w, h }: Pick<Place, "w" | "h">): Place {
  const below = Math.max(0, ...tiles.map((tile) => tile.y + tile.h))
  for (let y = 0; y < below; y++)
    for (let x = 0; x <= COLUMNS - w; x++) {
      const place = { x, y, w, h }
      if (!tiles.some((tile) => overlap(tile, place))) return place
    }
  return { x: 0, y: below, w, h }
}

/**
 * Puts one of the tiles elsewhere. Those that it would cover go below it, and every tile as far up as there is room.
 * Keeps the order of the tiles given.
 */
export function placeTile<Tile extends Placed>(tiles: readonly Tile[], id: string, to: Place): Tile[] {
  const place = keepInGrid(to)
  const moved = tiles.map((tile) => (tile.id === id ? { ...tile, ...place } : tile))
  // The moved tile comes first among those that begin in its row, so that it gets the place.
  const inOrder = moved.toSorted((a, b) => a.y - b.y || Number(b.id === id) - Number(a.id === id) || a.x - b.x)
  const settled: Tile[] = []
  for (const tile of inOrder) {
    let y = 0
    for (let above = settled.find((other) => overlap(other, { ...tile, y })); above !== undefined; ) {
      y = above.y + above.h
      above = settled.find((other) => overlap(other, { ...tile, y }))
    }
    settled.push({ ...tile, y })
  }
  return tiles.map((tile) => settled.find((other) => other.id === tile.id) ?? tile)
}
