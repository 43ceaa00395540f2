import { Button, Modal, Select, Stack } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { UPDATE_DASHBOARD } from "../dashboards/dashboards.queries"
import { addTile } from "../dashboards/tile-inputs"
import { OFFERED_DASHBOARDS } from "./insights.queries"

interface AddToDashboardProps {
  /** Of the insight. */
  readonly shortId: string
  readonly onClose: () => void
}

/** Puts an insight on a dashboard, and leads there. */
export function AddToDashboard({ shortId, onClose }: AddToDashboardProps) {
  const { id: projectId } = useProject()
  const [chosen, setChosen] = useState<string | null>(null)
  const [addedTo, setAddedTo] = useState<string | null>(null)
  const { change, isChanging, problem } = useChange(UPDATE_DASHBOARD, (data) => data.updateDashboard)
  const answer = useQuery({ query: OFFERED_DASHBOARDS, variables: { projectId }, requestPolicy: "network-only" })
  const offered = answer[0].data?.dashboards?.nodes ?? []

  const add = async (): Promise<void> => {
    const dashboard = offered.find((one) => one.shortId === chosen)
    if (dashboard === undefined) return
    const { id, version, tiles } = dashboard
    const added = await change({ input: { id, version, tiles: addTile(tiles, { insight: shortId }) } })
    if (added !== null) setAddedTo(dashboard.shortId)
  }

  return (
    <Modal opened onClose={onClose} title="Add to a dashboard">
      <Answer of={answer}>
        {() =>
          offered.length === 0 ? (
            <EmptyState title="No dashboards" hint="Make one first, in Dashboards." />
          ) : (
            <Stack gap="sm">
              <Select
                label="Dashboard"
                searchable
                data={offered.map((one) => ({ value: one.shortId, label: one.name || "Untitled" }))}
                value={chosen}
                onChange={setChosen}
              />
              <Problem of={problem} />
              {addedTo === null ? (
                <Button disabled={chosen === null} loading={isChanging} onClick={() => void add()}>
                  Add
                </Button>
              ) : (
                <Button
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      from="/project/$project"
                      to="/project/$project/dashboards/$dashboard"
                      params={{ dashboard: addedTo }}
                    />
                  )}
                >
                  Added: open the dashboard
                </Button>
              )}
            </Stack>
          )
        }
      </Answer>
    </Modal>
  )
}
