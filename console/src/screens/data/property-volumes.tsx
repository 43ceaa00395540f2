import { Group, Input, Stack, Text } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { EventSelect } from "../../filters/event-select"
import { writeShare } from "../../pictures/numbers"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { SearchField } from "../../ui/search-field"
import type { DataSearch } from "./data-search"
import { DefinitionCell } from "./definition-cell"
import { isWanted, ShownSelect, useNameLists } from "./shown-select"
import { type Volume, VolumeTable } from "./volume-table"

const FROM = "/project/$project/data"

/** Of the newest events only: what is sent now is told by them, and they are read at once. */
const LOOKED_AT = `(SELECT uuid, properties FROM events WHERE {event} = '' OR event = {event}
  ORDER BY timestamp DESC LIMIT 10000)`
/** The example is the last one by its text, so that it is the same whenever it is looked at. */
const PROPERTIES = `SELECT tupleElement(property, 1) AS name, uniqExact(uuid) AS events,
  max(tupleElement(property, 2)) AS example, (SELECT count() FROM ${LOOKED_AT}) AS all
  FROM (SELECT uuid, arrayJoin(JSONExtractKeysAndValuesRaw(properties)) AS property FROM ${LOOKED_AT})
  WHERE positionCaseInsensitive(name, {search}) > 0 AND ${isWanted("name")}
  GROUP BY name ORDER BY events DESC, name`

/** What a value is, by its text in JSON. */
function describeType(json: string): string {
  if (json.startsWith('"')) return "text"
  if (json.startsWith("[")) return "list"
  if (json.startsWith("{")) return "object"
  if (json === "true" || json === "false") return "yes or no"
  return json === "null" ? "null" : "number"
}

const COLUMNS: readonly Column<Volume>[] = [
  {
    title: "Property",
    cell: ({ id, definition }) => (
      <DefinitionCell definition={definition}>
        <span>{id}</span>
      </DefinitionCell>
    ),
  },
  {
    title: "Of the events",
    cell: ({ cells: [events, , all] }) => writeShare(Number(events), Number(all)),
    isNumber: true,
  },
  { title: "Type", cell: ({ cells: [, example] }) => describeType(String(example)) },
  { title: "Example", cell: ({ cells: [, example] }) => <span className="value">{String(example)}</span> },
  { title: "Owner", cell: ({ definition }) => definition?.owner?.email ?? "" },
]

/** The properties that the newest events have, those of most of them first. */
export function PropertyVolumes() {
  const { search, event, shown } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const lists = useNameLists("event", shown)
  const change = (changed: DataSearch): void =>
    void navigate({ search: { tab: "properties", search, event, shown, ...changed }, replace: true })
  return (
    <Stack gap="md">
      <Group gap="md" align="flex-end">
        <SearchField placeholder="Name of a property" value={search} onChange={(text) => change({ search: text })} />
        <Input.Wrapper label="Event" w={240}>
          <EventSelect label="Event" event={event} onChange={(chosen) => change({ event: chosen })} />
        </Input.Wrapper>
        <ShownSelect shown={shown} onChange={(chosen) => change({ shown: chosen })} />
      </Group>
      <VolumeTable
        label="Properties"
        of="properties"
        hogql={PROPERTIES}
        values={lists && { search: search ?? "", event: event ?? "", ...lists }}
        columns={COLUMNS}
        empty={<EmptyState title="No properties" hint="None of the newest events has such a property." />}
      />
      <Text size="xs" c="dimmed">
        Of the newest 10,000 events.
      </Text>
    </Stack>
  )
}
