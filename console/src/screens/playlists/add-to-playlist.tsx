import { Button, Modal, Select, Stack, TextInput } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { toPlaylistName } from "./playlist-name"
import { ATTACH, COLLECTIONS, CREATE_PLAYLIST } from "./playlists.queries"

const NEW = "new"

interface AddToPlaylistProps {
  readonly sessionId: string
  readonly onClose: () => void
}

/** Adds a recording to a collection that there is, or to a new one, and leads there. */
export function AddToPlaylist({ sessionId, onClose }: AddToPlaylistProps) {
  const { id: projectId } = useProject()
  const [chosen, setChosen] = useState<string | null>(null)
  const [name, setName] = useState("")
  const [addedTo, setAddedTo] = useState<string | null>(null)
  const attaching = useChange(ATTACH, (data) => data.attachSessionRecording)
  const creating = useChange(CREATE_PLAYLIST, (data) => data.createSessionRecordingPlaylist)
  const answer = useQuery({ query: COLLECTIONS, variables: { projectId }, requestPolicy: "network-only" })

  const findPlaylist = async (): Promise<string | undefined> => {
    if (chosen !== NEW) return chosen ?? undefined
    const made = await creating.change({ input: { projectId, name: name.trim() } })
    return made?.createSessionRecordingPlaylist?.sessionRecordingPlaylist?.shortId
  }
  const add = async (): Promise<void> => {
    const playlist = await findPlaylist()
    if (playlist === undefined) return
    const added = await attaching.change({ input: { projectId, id: playlist, sessionRecordingId: sessionId } })
    if (added !== null) setAddedTo(playlist)
  }

  return (
    <Modal opened onClose={onClose} title="Add to a playlist">
      <Answer of={answer}>
        {({ sessionRecordingPlaylists }) => (
          <Stack gap="sm">
            <Select
              label="Playlist"
              searchable
              data={[
                { value: NEW, label: "A new one…" },
                ...(sessionRecordingPlaylists?.nodes ?? []).map((one) => ({
                  value: one.shortId,
                  label: toPlaylistName(one),
                })),
              ]}
              value={chosen}
              onChange={setChosen}
            />
            {chosen === NEW && (
              <TextInput label="Name" value={name} onChange={({ currentTarget: { value } }) => setName(value)} />
            )}
            <Problem of={creating.problem ?? attaching.problem} />
            {addedTo === null ? (
              <Button
                disabled={chosen === null || (chosen === NEW && name.trim() === "")}
                loading={creating.isChanging || attaching.isChanging}
                onClick={() => void add()}
              >
                Add
              </Button>
            ) : (
              <Button
                renderRoot={(props) => (
                  <Link
                    {...props}
                    from="/project/$project"
                    to="/project/$project/playlists/$playlist"
                    params={{ playlist: addedTo }}
                  />
                )}
              >
                Added: open the playlist
              </Button>
            )}
          </Stack>
        )}
      </Answer>
    </Modal>
  )
}
