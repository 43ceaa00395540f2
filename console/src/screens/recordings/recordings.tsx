import { Badge, Group } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo } from "react"
import { useQuery } from "urql"
import type { RecordingsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { toClock } from "../../ui/clock"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { Time } from "../../ui/time"
import { RECORDINGS } from "./recordings.queries"
import { RecordingsFilters } from "./recordings-filters"
import { toFilter } from "./recordings-search"

type Recording = NonNullable<RecordingsQuery["sessionRecordings"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/recordings"

const COLUMNS: readonly Column<Recording>[] = [
  {
    title: "Person",
    cell: ({ sessionId, person, distinctId, ongoing, viewed }) => (
      <Group gap="xs" wrap="nowrap">
        <Link
          to="/project/$project/recordings/$session"
          from={FROM}
          params={{ session: sessionId }}
          search={{}}
          className={viewed ? "link seen" : "link"}
        >
          {person?.name || distinctId}
        </Link>
        {ongoing && (
          <Badge variant="light" size="sm" flex="none">
            Live
          </Badge>
        )}
      </Group>
    ),
  },
  { title: "Begun", cell: ({ startTime }) => <Time of={startTime} /> },
  { title: "First page", cell: ({ startUrl }) => startUrl },
  { title: "Duration", cell: ({ recordingDuration }) => toClock(recordingDuration * 1000), isNumber: true },
  { title: "Clicks", cell: ({ clickCount }) => clickCount.toLocaleString(), isNumber: true },
  { title: "Errors", cell: ({ consoleErrorCount }) => consoleErrorCount.toLocaleString(), isNumber: true },
]

/** The recorded sessions of the project, newest first. */
export function Recordings() {
  const project = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const filter = useMemo(() => toFilter(search), [search])
  const answer = useQuery({
    query: RECORDINGS,
    variables: { projectId: project.id, filter, first: PAGE_SIZE, after: search.after },
  })
  return (
    <Page title="Recordings">
      <RecordingsFilters />
      <PagedTable
        label="Recordings"
        columns={COLUMNS}
        of={answer}
        toPage={({ sessionRecordings }) => sessionRecordings}
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={
          <EmptyState
            title="No recordings"
            hint="None fits these filters. The browser SDK makes them when the project records sessions."
          />
        }
      />
    </Page>
  )
}
