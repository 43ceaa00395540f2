import { Badge, Button, Group, NativeSelect, Skeleton, Text } from "@mantine/core"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useMemo, useState } from "react"
import { useMutation, useQuery } from "urql"
import type { RecordingQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { Failure } from "../../ui/failure"
import { Page } from "../../ui/page"
import { Time } from "../../ui/time"
import { MARK_VIEWED, RECORDING } from "./recording.queries"
import { Stage } from "./stage"
import { useItems } from "./use-items"

const AddToPlaylist = lazy(async () => ({
  default: (await import("../playlists/add-to-playlist")).AddToPlaylist,
}))
const PlaylistNeighbours = lazy(async () => ({
  default: (await import("../playlists/playlist-neighbours")).PlaylistNeighbours,
}))

type Session = NonNullable<RecordingQuery["sessionRecording"]>

const FROM = "/project/$project/recordings/$session"

/** A recorded session in a player. */
export function Recording() {
  const project = useProject()
  const { session } = useParams({ from: FROM })
  const answer = useQuery({ query: RECORDING, variables: { projectId: project.id, sessionId: session } })
  return (
    <Answer of={answer} skeleton={<Skeleton className="stage" />}>
      {({ sessionRecording }) =>
        sessionRecording ? (
          <RecordedSession key={session} of={sessionRecording} />
        ) : (
          <EmptyState title={NONE} hint={WHY_NONE} />
        )
      }
    </Answer>
  )
}

const NONE = "There is no such recording"
const WHY_NONE = "It may have been deleted, or be older than the project keeps recordings. Go on by the list of them."

function RecordedSession({ of: session }: { readonly of: Session }) {
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const { id: projectId } = useProject()
  const [isAdding, setAdding] = useState(false)
  const [, markViewed] = useMutation(MARK_VIEWED)
  // A viewer whose mark is refused watches all the same.
  useEffect(
    () => void markViewed({ projectId, sessionId: session.sessionId }),
    [markViewed, projectId, session.sessionId],
  )
  const blobKeys = useMemo(() => session.snapshotSources?.map(({ blobKey }) => blobKey) ?? [], [session])
  const { items, isComplete, failure } = useItems(session.sessionId, blobKeys)
  const windows = useMemo(() => [...new Set(items.map(({ window }) => window))], [items])
  const window = windows.find((one) => one === search.window) ?? windows[0]
  const shown = useMemo(() => items.filter((item) => item.window === window), [items, window])
  const place = (positionMs: number) =>
    void navigate({ search: { ...search, t: Math.floor(positionMs / 1000) }, replace: true })
  return (
    <Page
      title={session.person?.name || session.distinctId}
      actions={
        <Button variant="default" onClick={() => setAdding(true)}>
          Add to a playlist
        </Button>
      }
    >
      <Suspense>
        {isAdding && <AddToPlaylist sessionId={session.sessionId} onClose={() => setAdding(false)} />}
      </Suspense>
      <Group gap="sm">
        {session.ongoing && <Badge variant="light">Live</Badge>}
        <Text size="sm" c="dimmed">
          <Time of={session.startTime} />
        </Text>
        <Text size="sm" c="dimmed" className="address">
          {session.startUrl}
        </Text>
        {windows.length > 1 && (
          <NativeSelect
            aria-label="Browser window"
            data={windows.map((value, index) => ({ value, label: `Window ${index + 1}` }))}
            value={window}
            onChange={({ currentTarget: { value } }) =>
              void navigate({ search: { window: value, playlist: search.playlist }, replace: true })
            }
          />
        )}
        <Suspense>
          {search.playlist !== undefined && (
            <PlaylistNeighbours playlist={search.playlist} sessionId={session.sessionId} />
          )}
        </Suspense>
      </Group>
      {failure !== null && <Failure of={failure} onRetry={() => location.reload()} />}
      {isComplete && shown.length < 2 ? (
        <EmptyState title="Nothing to play" hint="The recorder sent too little of this session. Choose another one." />
      ) : (
        <Stage
          key={window}
          items={shown}
          events={session.events ?? []}
          startMs={(search.t ?? 0) * 1000}
          onPlace={place}
        />
      )}
    </Page>
  )
}
