import { Button, Group, NativeSelect } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { ExportMenu } from "../../results/export-menu"
import { Answer } from "../../ui/answer"
import { ConditionEditor } from "../../ui/condition-editor"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { ColumnPicker, listPropertyNames, toPropertyColumns } from "../../ui/property-columns"
import { PropertyTable } from "../../ui/property-table"
import { TextFilter } from "../../ui/text-filter"
import { Time } from "../../ui/time"
import { EVENTS } from "./events.queries"
import type { EventsSearch } from "./events-search"
import { DEFAULT_AFTER, type StoredEvent, toEventsInput, toStoredEvents } from "./stored-events"

const PAGE_SIZE = 50
const FROM = "/project/$project/events"

const COLUMNS: readonly Column<StoredEvent>[] = [
  { title: "Event", cell: ({ event }) => event },
  { title: "Distinct id", cell: ({ distinctId }) => distinctId },
  { title: "Time", cell: ({ timestamp }) => <Time of={timestamp} /> },
]

const PERIODS = [
  { value: "-24h", label: "Last 24 hours" },
  { value: DEFAULT_AFTER, label: "Last 7 days" },
  { value: "-30d", label: "Last 30 days" },
  { value: "-90d", label: "Last 90 days" },
  { value: "all", label: "All time" },
]

/** The stored events of the project, newest first, in pages that neither repeat nor leave out one. */
export function Events() {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const events = useMemo(() => toEventsInput(search, PAGE_SIZE), [search])
  const answer = useQuery({ query: EVENTS, variables: { projectId, events } })
  const result = answer[0].data?.query
  const { rows, hasMore } = result?.__typename === "EventsResult" ? result : { rows: [], hasMore: false }
  const stored = useMemo(() => toStoredEvents(rows), [rows])
  const names = listPropertyNames(stored)
  const last = stored.at(-1)
  /** Another filter begins at the newest event again. */
  const change = (changed: EventsSearch): void =>
    void navigate({ search: (before) => ({ ...before, olderThan: undefined, ...changed }), replace: true })

  return (
    <Page title="Events" actions={<ExportMenu variant="default" query={{ events: toEventsInput(search) }} />}>
      <Group gap="md" align="flex-end">
        <TextFilter
          label="Event"
          placeholder="Name of an event"
          value={search.event}
          onChange={(text) => change({ event: text })}
        />
        <NativeSelect
          label="Period"
          data={PERIODS}
          value={search.after ?? DEFAULT_AFTER}
          onChange={({ currentTarget: { value } }) => change({ after: value })}
        />
        <ColumnPicker columns={search.columns} names={names} onChange={(columns) => change({ columns })} />
        <ConditionEditor conditions={search.where} names={names} onChange={(where) => change({ where })} />
      </Group>
      <Answer of={answer}>
        {() =>
          last === undefined ? (
            <EmptyState title="No events" hint="None fits these filters. Try a longer period, or fewer filters." />
          ) : (
            <>
              <DataTable
                label="Events"
                columns={[...COLUMNS, ...toPropertyColumns(search.columns)]}
                rows={stored}
                toKey={({ uuid }) => uuid}
                detail={({ properties }) => <PropertyTable properties={properties} />}
              />
              <Group gap="xs">
                <Button variant="default" disabled={search.olderThan === undefined} onClick={() => change({})}>
                  Newest
                </Button>
                <Button
                  variant="default"
                  disabled={!hasMore}
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      from={FROM}
                      search={(before) => ({
                        ...before,
                        olderThan: { timestamp: last.timestamp, uuid: last.uuid },
                      })}
                    />
                  )}
                >
                  Older
                </Button>
              </Group>
            </>
          )
        }
      </Answer>
    </Page>
  )
}
