import { Button, Stack } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { PersonEventsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PropertyTable } from "../../ui/property-table"
import { Time } from "../../ui/time"
import { PERSON_EVENTS } from "./persons.queries"

type Event = NonNullable<NonNullable<PersonEventsQuery["person"]>["events"]>[number]

const PAGE_SIZE = 50
const FROM = "/project/$project/persons/$person"

const COLUMNS: readonly Column<Event>[] = [
  { title: "Event", cell: ({ event }) => event },
  { title: "Distinct id", cell: ({ distinctId }) => distinctId },
  { title: "Time", cell: ({ timestamp }) => <Time of={timestamp} /> },
]

/** What the person did in the last 90 days, newest first. */
export function PersonEvents({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const { before } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: PERSON_EVENTS,
    variables: { projectId, uuid, before, first: PAGE_SIZE },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ person }) => {
        const events = person?.events ?? []
        if (events.length === 0)
          return (
            <EmptyState title="No events" hint="This person did nothing in the last 90 days, or nothing earlier." />
          )
        return (
          <Stack gap="sm" align="stretch">
            <DataTable
              label="Events of the person"
              columns={COLUMNS}
              rows={events}
              toKey={({ id }) => id}
              detail={({ properties }) => <PropertyTable properties={properties} />}
            />
            {events.length === PAGE_SIZE && (
              <Button
                variant="default"
                style={{ alignSelf: "flex-start" }}
                onClick={() => void navigate({ search: { tab: "events", before: events.at(-1)?.timestamp } })}
              >
                Older events
              </Button>
            )}
          </Stack>
        )
      }}
    </Answer>
  )
}
