import { Button, Stack } from "@mantine/core"
import { type Column, DataTable } from "../ui/data-table"
import { EmptyState } from "../ui/empty-state"
import { PropertyTable } from "../ui/property-table"
import { Time } from "../ui/time"

/** Events that are shown at once. */
export const PAGE_SIZE = 50

/** What is shown of an event. */
export interface PastEvent {
  readonly id: string
  readonly event: string
  readonly distinctId: string
  readonly timestamp: string
  readonly properties: unknown
}

const COLUMNS: readonly Column<PastEvent>[] = [
  { title: "Event", cell: ({ event }) => event },
  { title: "Distinct id", cell: ({ distinctId }) => distinctId },
  { title: "Time", cell: ({ timestamp }) => <Time of={timestamp} /> },
]

interface EventHistoryProps {
  /** At most a page, newest first. */
  readonly events: readonly PastEvent[]
  /** Leads to what was before a time. */
  readonly onOlder: (before: string | undefined) => void
}

/** What somebody did, newest first. */
export function EventHistory({ events, onOlder }: EventHistoryProps) {
  if (events.length === 0)
    return <EmptyState title="No events" hint="Nothing was sent in the last 90 days, or nothing earlier." />
  return (
    <Stack gap="sm" align="stretch">
      <DataTable
        label="Events"
        columns={COLUMNS}
        rows={events}
        toKey={({ id }) => id}
        detail={({ properties }) => <PropertyTable properties={properties} />}
      />
      {events.length === PAGE_SIZE && (
        <Button variant="default" style={{ alignSelf: "flex-start" }} onClick={() => onOlder(events.at(-1)?.timestamp)}>
          Older events
        </Button>
      )}
    </Stack>
  )
}
