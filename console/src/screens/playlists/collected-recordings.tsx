import { ActionIcon, Alert, Button, Group } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { RecordingRowFragment } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { toRecordingColumns } from "../../tables/recording-columns"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Icon } from "../../ui/icon"
import { PagedTable } from "../../ui/paged-table"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { ATTACH, COLLECTED, DETACH } from "./playlists.queries"

const PAGE_SIZE = 50
const FROM = "/project/$project/playlists/$playlist"

/** The recordings of a collection, which are removed and, as long as the page is open, added back. */
export function CollectedRecordings({ shortId }: { readonly shortId: string }) {
  const { id: projectId } = useProject()
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [removed, setRemoved] = useState<RecordingRowFragment | null>(null)
  const detaching = useChange(DETACH, (data) => data.detachSessionRecording)
  const attaching = useChange(ATTACH, (data) => data.attachSessionRecording)
  const answer = useQuery({
    query: COLLECTED,
    variables: { projectId, shortId, first: PAGE_SIZE, after },
    requestPolicy: "cache-and-network",
  })
  const toInput = ({ sessionId }: RecordingRowFragment) => ({
    input: { projectId, id: shortId, sessionRecordingId: sessionId },
  })
  const remove = async (recording: RecordingRowFragment): Promise<void> => {
    if ((await detaching.change(toInput(recording))) !== null) setRemoved(recording)
  }
  const undo = async (recording: RecordingRowFragment): Promise<void> => {
    if ((await attaching.change(toInput(recording))) !== null) setRemoved(null)
  }
  const columns: readonly Column<RecordingRowFragment>[] = [
    ...toRecordingColumns(shortId),
    {
      title: "Remove",
      cell: (recording) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Remove ${recording.person?.name || recording.distinctId} from the playlist`}
          onClick={() => void remove(recording)}
        >
          <Icon name="cross" size={16} />
        </ActionIcon>
      ),
    },
  ]
  return (
    <>
      <Problem of={detaching.problem ?? attaching.problem} />
      {removed !== null && (
        <Alert py="xs" role="status">
          <Group gap="sm">
            {`${removed.person?.name || removed.distinctId} was removed.`}
            <Button variant="default" size="compact-sm" onClick={() => void undo(removed)}>
              Undo
            </Button>
          </Group>
        </Alert>
      )}
      <PagedTable
        label="Recordings"
        columns={columns}
        of={answer}
        toPage={({ sessionRecordingPlaylist }) => sessionRecordingPlaylist?.page}
        after={after}
        onPage={(cursor) => void navigate({ search: { after: cursor } })}
        empty={<EmptyState title="No recordings" hint="Add some in the list of recordings, or while you watch one." />}
      />
    </>
  )
}
