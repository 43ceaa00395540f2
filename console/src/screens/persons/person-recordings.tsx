import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { toRecordingColumns } from "../../tables/recording-columns"
import { EmptyState } from "../../ui/empty-state"
import { PagedTable } from "../../ui/paged-table"
import { PERSON_RECORDINGS } from "./persons.queries"

const PAGE_SIZE = 50
const FROM = "/project/$project/persons/$person"

/** The recordings of the person that are kept, newest first. */
export function PersonRecordings({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({ query: PERSON_RECORDINGS, variables: { projectId, uuid, first: PAGE_SIZE, after } })
  return (
    <PagedTable
      label="Recordings of the person"
      columns={toRecordingColumns()}
      of={answer}
      toPage={({ person }) => person?.recordings}
      after={after}
      onPage={(cursor) => void navigate({ search: { tab: "recordings", after: cursor } })}
      empty={<EmptyState title="No recordings" hint="None is kept. Switch recording on in the SDK to have some." />}
    />
  )
}
