import { Button, Menu, Text } from "@mantine/core"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { PlaylistQuery, UpdateSessionRecordingPlaylistInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Deleted } from "../../ui/deleted"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { Problem } from "../../ui/problem"
import { type Description, SaveDialog } from "../../ui/save-dialog"
import { StarButton } from "../../ui/star-button"
import { useChange } from "../../ui/use-change"
import { useRenewal } from "../../ui/use-renewal"
import { useSoftDelete } from "../../ui/use-soft-delete"
import { CollectedRecordings } from "./collected-recordings"
import { MatchedRecordings } from "./matched-recordings"
import { writeCount } from "./playlist-count"
import { toPlaylistName } from "./playlist-name"
import { PLAYLIST, UPDATE_PLAYLIST } from "./playlists.queries"
import { readSavedFilters } from "./saved-filters"

/** A playlist, by the name in the address. */
export function PlaylistPage() {
  const { id: projectId } = useProject()
  const { playlist: shortId } = useParams({ from: "/project/$project/playlists/$playlist" })
  const answer = useQuery({
    query: PLAYLIST,
    variables: { projectId, shortId },
    requestPolicy: "cache-and-network",
  })
  useRenewal(answer[1])
  const { deletedId, onDeleted, onRestored } = useSoftDelete(answer)
  const { change: update, problem } = useChange(UPDATE_PLAYLIST, (data) => data.updateSessionRecordingPlaylist)
  if (deletedId !== null) {
    const restore = async (): Promise<void> => {
      if ((await update({ input: { projectId, id: deletedId, deleted: false } })) !== null) onRestored()
    }
    return <Deleted what="playlist" onRestore={() => void restore()} problem={problem} />
  }
  return (
    <Answer of={answer}>
      {({ sessionRecordingPlaylist: playlist }) =>
        playlist === null ? (
          <EmptyState title="There is no such playlist" hint="It may be of another project. Look for it in the list." />
        ) : (
          <Found key={playlist.id} playlist={playlist} onDeleted={() => onDeleted(shortId)} />
        )
      }
    </Answer>
  )
}

interface FoundProps {
  readonly playlist: NonNullable<PlaylistQuery["sessionRecordingPlaylist"]>
  readonly onDeleted: () => void
}

function Found({ playlist, onDeleted }: FoundProps) {
  const { id: projectId } = useProject()
  const { shortId, description, type, pinned, filters } = playlist
  const [isDescribing, setDescribing] = useState(false)
  const { change: update, ...updating } = useChange(UPDATE_PLAYLIST, (data) => data.updateSessionRecordingPlaylist)
  const found = readSavedFilters(filters?.raw)

  /** Whether the change was made. */
  const change = async (input: Omit<UpdateSessionRecordingPlaylistInput, "id">): Promise<boolean> =>
    (await update({ input: { projectId, id: shortId, ...input } })) !== null
  const describe = async (described: Description): Promise<void> => {
    if (await change({ ...described })) setDescribing(false)
  }
  const remove = async (): Promise<void> => {
    if (await change({ deleted: true })) onDeleted()
  }
  const actions = (
    <>
      <StarButton label="Pinned" isOn={pinned} onChange={(isOn) => void change({ pinned: isOn })} />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDescribing(true)}>Rename</Menu.Item>
          <Menu.Item color="red" onClick={() => void remove()}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {found !== null && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              from="/project/$project"
              to="/project/$project/recordings"
              search={{ ...found, playlist: shortId }}
            />
          )}
        >
          Open the filters
        </Button>
      )}
    </>
  )
  return (
    <Page title={toPlaylistName(playlist)} actions={actions}>
      <Problem of={updating.problem} />
      {description !== "" && <Text size="sm">{description}</Text>}
      <Text size="sm" c="dimmed">
        {type === "FILTERS" ? "Saved filters, recordings: " : "Collection, recordings: "}
        {writeCount(playlist)}
      </Text>
      {type === "FILTERS" ? <MatchedRecordings shortId={shortId} /> : <CollectedRecordings shortId={shortId} />}
      {isDescribing && (
        <SaveDialog
          title="Rename the playlist"
          described={{ name: toPlaylistName(playlist), description }}
          saving={updating}
          onSave={(described) => void describe(described)}
          onClose={() => setDescribing(false)}
        />
      )}
    </Page>
  )
}
