import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { toRecordingColumns } from "../../tables/recording-columns"
import { EmptyState } from "../../ui/empty-state"
import { PagedTable } from "../../ui/paged-table"
import { useRenewal } from "../../ui/use-renewal"
import { MATCHED } from "./playlists.queries"

const PAGE_SIZE = 50
const FROM = "/project/$project/playlists/$playlist"

/** What the saved filters of a playlist find now, asked for again while somebody looks. */
export function MatchedRecordings({ shortId }: { readonly shortId: string }) {
  const { id: projectId } = useProject()
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: MATCHED,
    variables: { projectId, shortId, first: PAGE_SIZE, after },
    requestPolicy: "cache-and-network",
  })
  useRenewal(answer[1])
  return (
    <PagedTable
      label="Recordings"
      columns={toRecordingColumns(shortId)}
      of={answer}
      toPage={({ sessionRecordingPlaylist }) => sessionRecordingPlaylist?.page}
      after={after}
      onPage={(cursor) => void navigate({ search: { after: cursor } })}
      empty={<EmptyState title="No recordings" hint="None fits the filters now. New ones appear here by themselves." />}
    />
  )
}
