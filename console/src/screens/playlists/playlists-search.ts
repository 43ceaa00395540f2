import type { SessionRecordingPlaylistType } from "../../graph/generated/graphql"
import { type ListSearch, readListSearch } from "../../ui/list-search"
import type { RawSearch } from "../../ui/search"

const KINDS = ["COLLECTION", "FILTERS"] as const satisfies readonly SessionRecordingPlaylistType[]

/** The filters of the list of playlists, as its address has them. */
export interface PlaylistsSearch extends ListSearch {
  /** Only playlists that hold this. */
  readonly kind?: SessionRecordingPlaylistType | undefined
  /** Only pinned ones. */
  readonly pinned?: true | undefined
}

/** Reads the filters and the place in the list; what is none is left out. */
export const readPlaylistsSearch = (search: RawSearch): PlaylistsSearch => ({
  ...readListSearch(search),
  kind: KINDS.find((kind) => kind === search.kind),
  pinned: search.pinned === true ? true : undefined,
})
