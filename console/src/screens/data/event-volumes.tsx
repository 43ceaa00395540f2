import { Stack } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { writeNumber } from "../../pictures/numbers"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { SearchField } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { type Volume, VolumeTable } from "./volume-table"

const FROM = "/project/$project/data"

const EVENTS = `SELECT event, count() AS events, uniq(distinct_id) AS ids, max(timestamp) AS last FROM events
  WHERE timestamp > now() - INTERVAL 30 DAY AND positionCaseInsensitive(event, {search}) > 0
  GROUP BY event ORDER BY events DESC, event`

const COLUMNS: readonly Column<Volume>[] = [
  {
    title: "Event",
    cell: ({ id }) => (
      <Link from="/project/$project" to="/project/$project/events" search={{ event: id, after: "-30d" }}>
        {id}
      </Link>
    ),
  },
  { title: "Events", cell: ({ cells: [events] }) => writeNumber(Number(events)), isNumber: true },
  { title: "Distinct ids", cell: ({ cells: [, ids] }) => writeNumber(Number(ids)), isNumber: true },
  { title: "Last seen", cell: ({ cells: [, , last] }) => <Time of={String(last)} /> },
  {
    title: "Properties",
    cell: ({ id }) => (
      <Link from={FROM} search={{ tab: "properties", event: id }}>
        Show
      </Link>
    ),
  },
]

/** The names of events of the last 30 days, the most frequent first. */
export function EventVolumes() {
  const { search } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  return (
    <Stack gap="md">
      <SearchField
        placeholder="Name of an event"
        value={search}
        onChange={(text) => void navigate({ search: { search: text }, replace: true })}
      />
      <VolumeTable
        label="Events of the last 30 days"
        hogql={EVENTS}
        values={{ search: search ?? "" }}
        columns={COLUMNS}
        empty={<EmptyState title="No events" hint="None of the last 30 days has such a name." />}
      />
    </Stack>
  )
}
