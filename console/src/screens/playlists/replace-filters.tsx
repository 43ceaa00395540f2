import { Button } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { useProject } from "../../project/project"
import { Problem } from "../../ui/problem"
import { useChange } from "../../ui/use-change"
import { UPDATE_PLAYLIST } from "./playlists.queries"
import { type ListFilters, toSavedFilters } from "./saved-filters"

interface ReplaceFiltersProps {
  /** Short id of the playlist whose filters were opened. */
  readonly playlist: string
  readonly filters: ListFilters
}

/** Keeps the filters of a list of recordings in the playlist that they came from, and leads back to it. */
export function ReplaceFilters({ playlist, filters }: ReplaceFiltersProps) {
  const { id: projectId } = useProject()
  const navigate = useNavigate({ from: "/project/$project" })
  const { change, isChanging, problem } = useChange(UPDATE_PLAYLIST, (data) => data.updateSessionRecordingPlaylist)
  const replace = async (): Promise<void> => {
    const input = { projectId, id: playlist, filters: { raw: toSavedFilters(filters) } }
    if ((await change({ input })) !== null)
      await navigate({ to: "/project/$project/playlists/$playlist", params: { playlist } })
  }
  return (
    <>
      <Problem of={problem} />
      <Button variant="default" loading={isChanging} onClick={() => void replace()}>
        Replace the filters of the playlist
      </Button>
    </>
  )
}
