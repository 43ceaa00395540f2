import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { PersonRecordingsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { toClock } from "../../ui/clock"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PagedTable } from "../../ui/paged-table"
import { Time } from "../../ui/time"
import { PERSON_RECORDINGS } from "./persons.queries"

type Person = NonNullable<PersonRecordingsQuery["person"]>
type Recording = NonNullable<Person["recordings"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/persons/$person"

const COLUMNS: readonly Column<Recording>[] = [
  {
    title: "Began",
    cell: ({ sessionId, startTime }) => (
      <Link from="/project/$project" to="/project/$project/recordings/$session" params={{ session: sessionId }}>
        <Time of={startTime} />
      </Link>
    ),
  },
  { title: "Length", cell: ({ recordingDuration }) => toClock(recordingDuration * 1000), isNumber: true },
  { title: "Clicks", cell: ({ clickCount }) => clickCount.toLocaleString(), isNumber: true },
  { title: "Errors", cell: ({ consoleErrorCount }) => consoleErrorCount.toLocaleString(), isNumber: true },
  { title: "First address", cell: ({ startUrl }) => startUrl ?? "" },
]

/** The recordings of the person that are kept, newest first. */
export function PersonRecordings({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({ query: PERSON_RECORDINGS, variables: { projectId, uuid, first: PAGE_SIZE, after } })
  return (
    <PagedTable
      label="Recordings of the person"
      columns={COLUMNS}
      of={answer}
      toPage={({ person }) => person?.recordings}
      after={after}
      onPage={(cursor) => void navigate({ search: { tab: "recordings", after: cursor } })}
      empty={<EmptyState title="No recordings" hint="None is kept. Switch recording on in the SDK to have some." />}
    />
  )
}
