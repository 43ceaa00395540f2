import { Alert, Badge, Button, Group } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import type { LiveEventsSubscription } from "../../graph/generated/graphql"
import { useConnection } from "../../graph/use-connection"
import { useLiveRows } from "../../graph/use-live-rows"
import { useProject } from "../../project/project"
import { ConditionEditor } from "../../ui/condition-editor"
import { toPropertyFilters } from "../../ui/conditions"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Failure } from "../../ui/failure"
import { Icon } from "../../ui/icon"
import { Page } from "../../ui/page"
import { ColumnPicker, listPropertyNames, toPropertyColumns } from "../../ui/property-columns"
import { PropertyTable } from "../../ui/property-table"
import { TextFilter } from "../../ui/text-filter"
import { Time } from "../../ui/time"
import { LIVE_EVENTS } from "./live.queries"
import type { LiveSearch } from "./live-search"
import { Online } from "./online"

type LiveEvent = LiveEventsSubscription["liveEvents"]

const toEvent = ({ liveEvents }: LiveEventsSubscription): LiveEvent => liveEvents

const COLUMNS: readonly Column<LiveEvent>[] = [
  { title: "Event", cell: ({ event }) => event },
  { title: "Distinct id", cell: ({ distinctId }) => distinctId },
  { title: "Time", cell: ({ timestamp }) => <Time of={timestamp} /> },
]

const toDetail = ({ properties }: LiveEvent) => <PropertyTable properties={properties} />

/** Events as they come. While the list is paused it stands still, and what comes is counted. */
export function Live() {
  const { id: projectId } = useProject()
  const { event, where, columns } = useSearch({ from: "/project/$project/live" })
  const navigate = useNavigate({ from: "/project/$project/live" })
  const isConnected = useConnection()
  const properties = toPropertyFilters(where)
  const live = useLiveRows(LIVE_EVENTS, { projectId, event, properties }, toEvent)
  const { rows: events, missed, failure } = live
  const [paused, setPaused] = useState<readonly LiveEvent[] | null>(null)
  const rows = paused ?? events
  const waiting = paused === null ? 0 : events.findIndex(({ uuid }) => uuid === paused[0]?.uuid)
  const names = listPropertyNames(rows)
  const shownColumns = useMemo(() => [...COLUMNS, ...toPropertyColumns(columns)], [columns])
  const change = (changed: LiveSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })

  return (
    <Page
      title="Live"
      actions={
        <>
          <Badge variant="light" color={isConnected ? "green" : "gray"} role="status">
            {isConnected ? "live" : "connecting"}
          </Badge>
          <Button
            variant="default"
            leftSection={<Icon name={paused === null ? "pause" : "play"} size={14} />}
            onClick={() => setPaused(paused === null ? events : null)}
          >
            {paused === null ? "Pause" : `Go on (${waiting < 0 ? events.length : waiting} new)`}
          </Button>
        </>
      }
    >
      <Online />
      <Group gap="md" align="flex-end">
        <TextFilter
          label="Event"
          placeholder="Name of an event"
          value={event}
          onChange={(text) => change({ event: text })}
        />
        <ColumnPicker columns={columns} names={names} onChange={(chosen) => change({ columns: chosen })} />
        <ConditionEditor conditions={where} names={names} onChange={(chosen) => change({ where: chosen })} />
      </Group>
      {failure !== null && <Failure of={failure} onRetry={() => location.reload()} />}
      {missed > 0 && (
        <Alert color="yellow" py="xs">
          {missed.toLocaleString()} events came faster than they could be shown. They are among the stored events.
        </Alert>
      )}
      {rows.length === 0 ? (
        <EmptyState title="Waiting for events" hint="They are listed here as they arrive, the newest on top." />
      ) : (
        <DataTable
          label="Live events"
          columns={shownColumns}
          rows={rows}
          toKey={({ uuid }) => uuid}
          detail={toDetail}
        />
      )}
    </Page>
  )
}
