import "./dashboards.css"
import { ActionIcon, Group } from "@mantine/core"
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react"
import { Icon } from "../../ui/icon"
import { COLUMNS, type Place, type Placed, placeTile } from "./layout"

/** Pixels of a row, with the gap below it. */
const ROW_STEP = 92

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface TileGridProps<Tile extends Placed> {
  readonly tiles: readonly Tile[]
  readonly children: (tile: Tile) => ReactNode
  /** Takes the tiles at their new places; they cannot be moved when absent. */
  readonly onMoved?: (tiles: Tile[]) => void
  readonly onRemoved?: (id: string) => void
}

/**
 * Tiles in twelve columns, below each other on a telephone. Each has two handles while they can be moved: dragging one,
 * or the arrow keys on it, moves the tile or changes its size.
 */
export function TileGrid<Tile extends Placed>({ tiles, children, onMoved, onRemoved }: TileGridProps<Tile>) {
  const grid = useRef<HTMLDivElement>(null)
  // The order of reading is that of the keyboard and of a telephone.
  const inOrder = tiles.toSorted((a, b) => a.y - b.y || a.x - b.x)
  return (
    <div ref={grid} className="tiles">
      {inOrder.map((tile) => (
        <div
          key={tile.id}
          className="place"
          style={{ gridColumn: `${tile.x + 1} / span ${tile.w}`, gridRow: `${tile.y + 1} / span ${tile.h}` }}
        >
          {children(tile)}
          {onMoved !== undefined && (
            <Group className="handles" gap={2}>
              <Handle
                label="Move"
                icon="move"
                grid={grid}
                from={tile}
                onTo={(dx, dy, { x, y, w, h }) => onMoved(placeTile(tiles, tile.id, { x: x + dx, y: y + dy, w, h }))}
              />
              <Handle
                label="Resize"
                icon="resize"
                grid={grid}
                from={tile}
                onTo={(dx, dy, { x, y, w, h }) => onMoved(placeTile(tiles, tile.id, { x, y, w: w + dx, h: h + dy }))}
              />
              <ActionIcon variant="default" aria-label="Remove the tile" onClick={() => onRemoved?.(tile.id)}>
                <Icon name="cross" size={16} />
              </ActionIcon>
            </Group>
          )}
        </div>
      ))}
    </div>
  )
}

interface HandleProps {
  readonly label: string
  readonly icon: "move" | "resize"
  readonly grid: React.RefObject<HTMLDivElement | null>
  readonly from: Place
  /** Takes columns and rows from where the tile stood when the dragging began. */
  readonly onTo: (dx: number, dy: number, from: Place) => void
}

function Handle({ label, icon, grid, from, onTo }: HandleProps) {
  const begun = useRef<{ readonly left: number; readonly top: number; readonly from: Place } | null>(null)
  const drag = ({ clientX, clientY }: PointerEvent): void => {
    if (begun.current === null || grid.current === null) return
    const { left, top } = begun.current
    const columnStep = grid.current.clientWidth / COLUMNS
    const [dx, dy] = [Math.round((clientX - left) / columnStep), Math.round((clientY - top) / ROW_STEP)]
    onTo(dx, dy, begun.current.from)
  }
  const press = (event: KeyboardEvent): void => {
    const step = KEYS[event.key]
    if (step === undefined) return
    event.preventDefault()
    onTo(...step, from)
  }
  return (
    <ActionIcon
      variant="default"
      aria-label={`${label} the tile, by arrow keys or dragging`}
      className="handle"
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        begun.current = { left: event.clientX, top: event.clientY, from }
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        begun.current = null
      }}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  )
}
