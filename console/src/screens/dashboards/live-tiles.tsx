import { Alert } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { DashboardPartsFragment } from "../../graph/generated/graphql"
import { NOTHING_YET, Tile, type TileOutcome } from "./tile"
import { TileGrid } from "./tile-grid"
import { useTileOutcomes } from "./use-tile-outcomes"

type StoredTile = DashboardPartsFragment["tiles"][number]

interface LiveTilesProps {
  readonly dashboardId: string
  readonly tiles: readonly StoredTile[]
  /** Takes the tiles as they have been moved or removed; they stay where they are when absent. */
  readonly onMoved: ((tiles: StoredTile[]) => void) | undefined
}

/** The tiles of a dashboard with what they come to, which is renewed as newer events make it stale. */
export function LiveTiles({ dashboardId, tiles, onMoved }: LiveTilesProps) {
  const { outcomes, error } = useTileOutcomes(dashboardId)
  return (
    <>
      {error !== undefined && (
        <Alert color="red" role="alert">
          The tiles are not followed: {error.message}
        </Alert>
      )}
      <TileGrid tiles={tiles} onMoved={onMoved} onRemoved={(id) => onMoved?.(tiles.filter((tile) => tile.id !== id))}>
        {(tile) => (
          <Tile
            name={toName(tile)}
            title={<Title of={tile} />}
            text={tile.text}
            outcome={toOutcome(tile, outcomes[tile.id])}
            notes={tile.isUnfiltered ? ["not filtered"] : []}
          />
        )}
      </TileGrid>
    </>
  )
}

function toOutcome({ isInsightDeleted }: StoredTile, outcome: TileOutcome = NOTHING_YET): TileOutcome {
  if (isInsightDeleted)
    return { result: null, running: null, fault: "The insight is deleted. Restore it, or remove the tile." }
  return outcome
}

const toName = ({ name }: Pick<StoredTile, "name">): string => name || "Untitled"

function Title({ of: { name, insight } }: { readonly of: StoredTile }) {
  const title = toName({ name })
  if (insight === null) return title
  return (
    <Link from="/project/$project" to="/project/$project/insights/$insight" params={{ insight: insight.shortId }}>
      {title}
    </Link>
  )
}
