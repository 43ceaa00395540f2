import { AppError } from "../../kernel/errors.js"
import { toStorableText } from "../../kernel/json.js"
import { requireLength } from "../../kernel/text-length.js"
import type { Place, Tile, TileRequest } from "./dashboards.types.js"

/** As many as queries can be watched together. */
const MAX_TILES = 100
const MAX_TEXT_LENGTH = 10_000
const COLUMNS = 12
const RANGES: Readonly<Record<keyof Place, readonly [least: number, most: number]>> = {
  x: [0, COLUMNS - 1],
  y: [0, 10_000],
  w: [1, COLUMNS],
  h: [1, 100],
}

/** What the tiles of a request are checked against. */
export interface TileChecks {
  /** Those that the dashboard has now. */
  readonly present: readonly Tile[]
  /** Short ids of insights that may be shown. */
  readonly insights: ReadonlySet<string>
  readonly newId: () => string
}

/** Tiles in the form that is stored. @throws AppError invalid_input or max_length naming tile and field. */
export function readTiles(tiles: readonly TileRequest[], checks: TileChecks): Tile[] {
  if (tiles.length > MAX_TILES)
    throw new AppError("invalid_input", { attr: "tiles", detail: `A dashboard has at most ${MAX_TILES} tiles.` })
  const read = tiles.map((tile, index) => readTile(tile, index, checks))
  const repeated = read.findIndex(({ id }, index) => read.findIndex((other) => other.id === id) < index)
  if (repeated >= 0) throw refuse(repeated, "id", "stands twice")
  return read
}

function readTile({ id, insight, text, ...place }: TileRequest, index: number, checks: TileChecks): Tile {
  const { present, insights, newId } = checks
  if (id != null && !present.some((tile) => tile.id === id)) throw refuse(index, "id", "is no tile of the dashboard")
  if ((insight == null) === (text == null)) throw refuse(index, "insight", "or text must be given, and not both")
  if (insight != null && !insights.has(insight)) throw refuse(index, "insight", "is no insight of the project")
  if (text != null) requireLength(`tiles__${index}__text`, text, MAX_TEXT_LENGTH)
  return {
    id: id ?? newId(),
    ...readPlace(place, index),
    insight: insight ?? null,
    text: text == null ? null : toStorableText(text),
  }
}

function readPlace({ x, y, w, h }: Place, index: number): Place {
  const place = { x, y, w, h }
  for (const name of ["x", "y", "w", "h"] as const) {
    const [least, most] = RANGES[name]
    if (place[name] < least || place[name] > most) throw refuse(index, name, `must be from ${least} to ${most}`)
  }
  if (x + w > COLUMNS) throw refuse(index, "w", `reaches beyond the last of ${COLUMNS} columns`)
  return place
}

const refuse = (index: number, field: string, rule: string): AppError =>
  new AppError("invalid_input", { attr: `tiles__${index}__${field}`, detail: `tiles.${index}.${field} ${rule}.` })
