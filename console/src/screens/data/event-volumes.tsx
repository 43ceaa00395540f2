import { Group, Stack } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { writeNumber } from "../../pictures/numbers"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { SearchField } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { DefinitionCell } from "./definition-cell"
import { isWanted, ShownSelect, useNameLists } from "./shown-select"
import { type Volume, VolumeTable } from "./volume-table"

const FROM = "/project/$project/data"

const EVENTS = `SELECT event, count() AS events, uniq(distinct_id) AS ids, max(timestamp) AS last FROM events
  WHERE timestamp > now() - INTERVAL 30 DAY AND positionCaseInsensitive(event, {search}) > 0
    AND ${isWanted("event")}
  GROUP BY event ORDER BY events DESC, event`

const COLUMNS: readonly Column<Volume>[] = [
  {
    title: "Event",
    cell: ({ id, definition }) => (
      <DefinitionCell definition={definition}>
        <Link from="/project/$project" to="/project/$project/events" search={{ event: id, after: "-30d" }}>
          {id}
        </Link>
      </DefinitionCell>
    ),
  },
  { title: "Events", cell: ({ cells: [events] }) => writeNumber(Number(events)), isNumber: true },
  { title: "Distinct ids", cell: ({ cells: [, ids] }) => writeNumber(Number(ids)), isNumber: true },
  { title: "Last seen", cell: ({ cells: [, , last] }) => <Time of={String(last)} /> },
  { title: "Owner", cell: ({ definition }) => definition?.owner?.email ?? "" },
  {
    title: "Properties",
    cell: ({ id }) => (
      <Link from={FROM} search={{ tab: "properties", event: id }}>
        Show
      </Link>
    ),
  },
]

/** The names of events of the last 30 days with what is said of them, the most frequent first. */
export function EventVolumes() {
  const { search, shown } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const lists = useNameLists("events", shown)
  return (
    <Stack gap="md">
      <Group gap="md" align="flex-end">
        <SearchField
          placeholder="Name of an event"
          value={search}
          onChange={(text) => void navigate({ search: { search: text, shown }, replace: true })}
        />
        <ShownSelect
          shown={shown}
          onChange={(chosen) => void navigate({ search: { search, shown: chosen }, replace: true })}
        />
      </Group>
      <VolumeTable
        label="Events of the last 30 days"
        of="events"
        hogql={EVENTS}
        values={lists && { search: search ?? "", ...lists }}
        columns={COLUMNS}
        empty={<EmptyState title="No events" hint="None of the last 30 days has such a name." />}
      />
    </Stack>
  )
}
