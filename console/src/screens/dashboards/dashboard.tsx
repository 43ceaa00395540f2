import { Button, Group, Menu, Text } from "@mantine/core"
import { useFullscreenElement } from "@mantine/hooks"
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { DashboardPartsFragment, UpdateDashboardInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Deleted } from "../../ui/deleted"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { Problem } from "../../ui/problem"
import { type Description, SaveDialog } from "../../ui/save-dialog"
import { StarButton } from "../../ui/star-button"
import { useChange } from "../../ui/use-change"
import { useSoftDelete } from "../../ui/use-soft-delete"
import { AddTile } from "./add-tile"
import { DashboardFilters } from "./dashboard-filters"
import { DASHBOARD, UPDATE_DASHBOARD } from "./dashboards.queries"
import { LiveTiles } from "./live-tiles"
import { ShareDialog } from "./share-dialog"
import { addTile, type NewTile, toTileInputs } from "./tile-inputs"

type Dashboard = DashboardPartsFragment
type StoredTile = Dashboard["tiles"][number]

/** A dashboard, by the name in the address. */
export function DashboardPage() {
  const { id: projectId } = useProject()
  const { dashboard: shortId } = useParams({ from: "/project/$project/dashboards/$dashboard" })
  const answer = useQuery({ query: DASHBOARD, variables: { projectId, shortId } })
  const { deletedId, onDeleted, onRestored } = useSoftDelete(answer)
  const { change: update, problem } = useChange(UPDATE_DASHBOARD, (data) => data.updateDashboard)
  if (deletedId !== null) {
    const restore = async (): Promise<void> => {
      if ((await update({ input: { id: deletedId, deleted: false } })) !== null) onRestored()
    }
    return <Deleted what="dashboard" onRestore={() => void restore()} problem={problem} />
  }
  return (
    <Answer of={answer}>
      {({ dashboard }) =>
        dashboard === null ? (
          <EmptyState
            title="There is no such dashboard"
            hint="It may be of another project. Look for it in the list."
          />
        ) : (
          <Found key={dashboard.id} dashboard={dashboard} onDeleted={() => onDeleted(dashboard.id)} />
        )
      }
    </Answer>
  )
}

interface FoundProps {
  readonly dashboard: Dashboard
  readonly onDeleted: () => void
}

function Found({ dashboard, onDeleted }: FoundProps) {
  const { id, name, description, version, tiles, filters, isFavourite } = dashboard
  const [moved, setMoved] = useState<readonly StoredTile[] | null>(null)
  const [isSharing, setSharing] = useState(false)
  const [isDescribing, setDescribing] = useState(false)
  const { change: update, ...updating } = useChange(UPDATE_DASHBOARD, (data) => data.updateDashboard)
  const { ref, toggle } = useFullscreenElement()

  /** Whether the change was made. */
  const change = async (input: Omit<UpdateDashboardInput, "id">): Promise<boolean> =>
    (await update({ input: { id, ...input } })) !== null
  const keepLayout = async (): Promise<void> => {
    if (moved !== null && (await change({ version, tiles: toTileInputs(moved) }))) setMoved(null)
  }
  const describe = async (described: Description): Promise<void> => {
    if (await change(described)) setDescribing(false)
  }
  const remove = async (): Promise<void> => {
    if (await change({ deleted: true })) onDeleted()
  }
  const add = (tile: NewTile): void => void change({ version, tiles: addTile(tiles, tile) })

  const isEditing = moved !== null
  const actions = isEditing ? (
    <>
      <Button variant="default" onClick={() => setMoved(null)}>
        Cancel
      </Button>
      <Button loading={updating.isChanging} onClick={() => void keepLayout()}>
        Keep the layout
      </Button>
    </>
  ) : (
    <>
      <StarButton label="Favourite" isOn={isFavourite} onChange={(isOn) => void change({ isFavourite: isOn })} />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void toggle()}>Whole screen</Menu.Item>
          <Menu.Item onClick={() => setSharing(true)}>Share</Menu.Item>
          <Menu.Item onClick={() => setDescribing(true)}>Rename</Menu.Item>
          <Menu.Item color="red" onClick={() => void remove()}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" onClick={() => setMoved(tiles)}>
        Change the layout
      </Button>
    </>
  )
  return (
    <Page title={name || "Untitled"} actions={actions}>
      <Problem of={updating.problem} />
      {description !== "" && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      {!isEditing && (
        <Group justify="space-between" align="flex-start">
          <DashboardFilters filters={filters} onChange={(changed) => void change({ filters: changed })} />
          <AddTile onAdd={add} />
        </Group>
      )}
      {tiles.length === 0 ? (
        <EmptyState title="No tiles" hint="Add an insight that is saved, or a text." />
      ) : (
        <div ref={ref} className="whole-screen-of">
          <LiveTiles
            // What is followed is what the tiles were when it began.
            key={JSON.stringify([filters.raw, tiles.map((tile) => tile.id)])}
            dashboardId={id}
            tiles={moved ?? tiles}
            onMoved={isEditing ? setMoved : undefined}
          />
        </div>
      )}
      {isSharing && <ShareDialog dashboardId={id} onClose={() => setSharing(false)} />}
      {isDescribing && (
        <SaveDialog
          title="Rename the dashboard"
          described={{ name, description }}
          saving={updating}
          onSave={(described) => void describe(described)}
          onClose={() => setDescribing(false)}
        />
      )}
    </Page>
  )
}
