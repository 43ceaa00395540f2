import { useNavigate } from "@tanstack/react-router"
import { useProject } from "../../project/project"
import { type Description, SaveDialog } from "../../ui/save-dialog"
import { useChange } from "../../ui/use-change"
import { CREATE_PLAYLIST } from "./playlists.queries"

interface NewPlaylistProps {
  readonly title: string
  /** Filters as they are stored; a collection is made without. */
  readonly filters?: object
  readonly onClose: () => void
}

/** Asks for the name of a new playlist, and leads to it. */
export function NewPlaylist({ title, filters, onClose }: NewPlaylistProps) {
  const { id: projectId } = useProject()
  const navigate = useNavigate({ from: "/project/$project" })
  const { change: create, ...saving } = useChange(CREATE_PLAYLIST, (data) => data.createSessionRecordingPlaylist)
  const save = async (description: Description): Promise<void> => {
    const input = { projectId, ...description, filters: filters && { raw: filters } }
    const made = (await create({ input }))?.createSessionRecordingPlaylist?.sessionRecordingPlaylist
    if (made) await navigate({ to: "/project/$project/playlists/$playlist", params: { playlist: made.shortId } })
  }
  return (
    <SaveDialog
      title={title}
      described={{ name: "", description: "" }}
      saving={saving}
      onSave={(description) => void save(description)}
      onClose={onClose}
    />
  )
}
