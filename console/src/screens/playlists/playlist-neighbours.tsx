import { Anchor, Button, Group } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { toPlaylistName } from "./playlist-name"
import { PLAYLIST_ORDER } from "./playlists.queries"

interface PlaylistNeighboursProps {
  /** Name of the playlist in addresses. */
  readonly playlist: string
  /** The recording that is watched. */
  readonly sessionId: string
}

/** The playlist that a recording is watched from, and the recordings before and behind it there. */
export function PlaylistNeighbours({ playlist, sessionId }: PlaylistNeighboursProps) {
  const { id: projectId } = useProject()
  const [{ data }] = useQuery({ query: PLAYLIST_ORDER, variables: { projectId, shortId: playlist } })
  const found = data?.sessionRecordingPlaylist
  if (!found) return null
  const held = found.recordings?.nodes.length ? found.recordings.nodes : (found.matches?.nodes ?? [])
  const place = held.findIndex((one) => one.sessionId === sessionId)
  const before = place < 1 ? undefined : held[place - 1]
  const behind = place < 0 ? undefined : held[place + 1]
  return (
    <Group gap="sm">
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link {...props} from="/project/$project" to="/project/$project/playlists/$playlist" params={{ playlist }} />
        )}
      >
        {toPlaylistName(found)}
      </Anchor>
      <Neighbour label="Previous" session={before?.sessionId} playlist={playlist} />
      <Neighbour label="Next" session={behind?.sessionId} playlist={playlist} />
    </Group>
  )
}

interface NeighbourProps {
  readonly label: string
  /** There is none at either end. */
  readonly session: string | undefined
  readonly playlist: string
}

function Neighbour({ label, session, playlist }: NeighbourProps) {
  if (session === undefined)
    return (
      <Button variant="default" size="compact-sm" disabled>
        {label}
      </Button>
    )
  return (
    <Button
      variant="default"
      size="compact-sm"
      renderRoot={(props) => (
        <Link
          {...props}
          from="/project/$project"
          to="/project/$project/recordings/$session"
          params={{ session }}
          search={{ playlist }}
        />
      )}
    >
      {label}
    </Button>
  )
}
