import { TextInput } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { EventsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PropertyTable } from "../../ui/property-table"
import { Time } from "../../ui/time"
import { EVENTS } from "./events.queries"

type Event = NonNullable<EventsQuery["events"]>[number]

const PAGE_SIZE = 50

const COLUMNS: readonly Column<Event>[] = [
  { title: "Event", cell: ({ event }) => event },
  { title: "Distinct id", cell: ({ distinctId }) => distinctId },
  { title: "Time", cell: ({ timestamp }) => <Time of={timestamp} /> },
]

/** The stored events of the project, newest first. */
export function Events() {
  const project = useProject()
  const search = useSearch({ from: "/project/$project/events" })
  const navigate = useNavigate({ from: "/project/$project/events" })
  const answer = useQuery({ query: EVENTS, variables: { projectId: project.id, first: PAGE_SIZE, ...search } })
  return (
    <Page title="Events">
      <TextInput
        label="Event"
        placeholder="Name of an event"
        maw={320}
        defaultValue={search.event}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { event: value === "" ? undefined : value }, replace: true })
        }
      />
      <Answer of={answer}>
        {({ events }) =>
          events?.length ? (
            <DataTable
              label="Events"
              columns={COLUMNS}
              rows={events}
              toKey={({ id }) => id}
              detail={({ properties }) => <PropertyTable properties={properties} />}
            />
          ) : (
            <EmptyState title="No events" hint="None of the last 90 days has this name. Events have exact names." />
          )
        }
      </Answer>
    </Page>
  )
}
