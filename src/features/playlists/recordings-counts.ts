import DataLoader from "dataloader"
import type { RequestContext } from "../../kernel/request-context.js"
import type { CollectionCount, PlaylistRepository } from "./playlists.types.js"

/** Two levels of keys, as the contract's `recordings_counts` (`reference/management.md` 3). */
export interface RecordingsCounts {
  readonly saved_filters: {
    readonly count: null
    readonly has_more: null
    readonly watched_count: null
    readonly increased: null
    readonly last_refreshed_at: null
  }
  readonly collection: { readonly count: number | null; readonly watched_count: number }
}

export type RecordingsCountsLoader = DataLoader<number, RecordingsCounts>

/** Counts for all playlists of an answer with one statement; one loader per request. */
export function createRecordingsCountsLoader(repository: PlaylistRepository) {
  const perRequest = new WeakMap<RequestContext, RecordingsCountsLoader>()
  return (context: RequestContext): RecordingsCountsLoader => {
    const known = perRequest.get(context)
    if (known !== undefined) return known
    const loader = new DataLoader<number, RecordingsCounts>(async (playlistIds) => {
      const viewer = context.principal?.userId
      const counts = viewer === undefined ? new Map() : await repository.collectionCounts(playlistIds, viewer)
      return playlistIds.map((id) => toRecordingsCounts(counts.get(id)))
    })
    perRequest.set(context, loader)
    return loader
  }
}

/** Nobody counts matches of saved filters in the background, so those are all null. */
function toRecordingsCounts(collection: CollectionCount | undefined): RecordingsCounts {
  return {
    saved_filters: { count: null, has_more: null, watched_count: null, increased: null, last_refreshed_at: null },
    collection: { count: collection?.count ?? null, watched_count: collection?.watchedCount ?? 0 },
  }
}
