import { Stack } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { PersonRecordingsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { MoreButton } from "../../ui/more-button"
import { Time } from "../../ui/time"
import { PERSON_RECORDINGS } from "./persons.queries"

type Person = NonNullable<PersonRecordingsQuery["person"]>
type Recording = NonNullable<Person["recordings"]>["nodes"][number]

const PAGE_SIZE = 50

/** Seconds as minutes and seconds, "2:05". */
const toLength = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`

const COLUMNS: readonly Column<Recording>[] = [
  {
    title: "Began",
    cell: ({ sessionId, startTime }) => (
      <Link from="/project/$project" to="/project/$project/recordings/$session" params={{ session: sessionId }}>
        <Time of={startTime} />
      </Link>
    ),
  },
  { title: "Length", cell: ({ recordingDuration }) => toLength(recordingDuration), isNumber: true },
  { title: "Clicks", cell: ({ clickCount }) => clickCount.toLocaleString(), isNumber: true },
  { title: "Errors", cell: ({ consoleErrorCount }) => consoleErrorCount.toLocaleString(), isNumber: true },
  { title: "First address", cell: ({ startUrl }) => startUrl ?? "" },
]

/** The recordings of the person that are kept, newest first. */
export function PersonRecordings({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const [first, setFirst] = useState(PAGE_SIZE)
  const answer = useQuery({ query: PERSON_RECORDINGS, variables: { projectId, uuid, first } })
  return (
    <Answer of={answer}>
      {({ person }) => {
        const recordings = person?.recordings?.nodes ?? []
        if (recordings.length === 0)
          return <EmptyState title="No recordings" hint="None is kept. Switch recording on in the SDK to have some." />
        return (
          <Stack gap="sm" align="stretch">
            <DataTable label="Recordings of the person" columns={COLUMNS} rows={recordings} toKey={({ id }) => id} />
            {person?.recordings?.pageInfo.hasNextPage === true && (
              <MoreButton isLoading={answer[0].fetching} onClick={() => setFirst(first + PAGE_SIZE)} />
            )}
          </Stack>
        )
      }}
    </Answer>
  )
}
