import { NewPlaylist } from "./new-playlist"
import { type ListFilters, toSavedFilters } from "./saved-filters"

interface SaveFiltersProps {
  readonly filters: ListFilters
  readonly onClose: () => void
}

/** Keeps the filters of a list of recordings as a playlist, and leads to it. */
export const SaveFilters = ({ filters, onClose }: SaveFiltersProps) => (
  <NewPlaylist title="Save the filters" filters={toSavedFilters(filters)} onClose={onClose} />
)
