import DataLoader from "dataloader"
import type { UserId } from "../../kernel/ids.js"
import type { RequestContext } from "../../kernel/request-context.js"
import type { CollectionCount, CountCollections } from "./collection-counts.store.js"
import type { MatchCount, MatchCounts } from "./match-counts/match-counts.store.js"

/** Two levels of keys, as the contract's `recordings_counts` (`docs/contract/recordings.md#recordings-counts`). */
export interface RecordingsCounts {
  /** All null where nothing was counted. */
  readonly saved_filters: {
    readonly count: number | null
    readonly has_more: boolean | null
    readonly watched_count: number | null
    readonly increased: boolean | null
    /** ISO 8601. */
    readonly last_refreshed_at: string | null
  }
  readonly collection: { readonly count: number | null; readonly watched_count: number }
}

export type RecordingsCountsLoader = DataLoader<number, RecordingsCounts>

/** Counts for all playlists of an answer with one statement of each kind; one loader per request. */
export function createRecordingsCountsLoader(
  countCollections: CountCollections,
  matches: Pick<MatchCounts, "findByPlaylists">,
) {
  const perRequest = new WeakMap<RequestContext, RecordingsCountsLoader>()
  const load = async (ids: readonly number[], viewer: UserId): Promise<RecordingsCounts[]> => {
    const [collections, found] = await Promise.all([
      countCollections(ids, viewer),
      matches.findByPlaylists(ids, viewer),
    ])
    return ids.map((id) => toRecordingsCounts(collections.get(id), found.get(id)))
  }
  return (context: RequestContext): RecordingsCountsLoader => {
    const known = perRequest.get(context)
    if (known !== undefined) return known
    const viewer = context.principal?.userId
    const loader = new DataLoader<number, RecordingsCounts>(async (ids) =>
      viewer === undefined ? ids.map(() => toRecordingsCounts(undefined, undefined)) : load(ids, viewer),
    )
    perRequest.set(context, loader)
    return loader
  }
}

const toRecordingsCounts = (
  collection: CollectionCount | undefined,
  match: MatchCount | undefined,
): RecordingsCounts => ({
  saved_filters: {
    count: match?.count ?? null,
    has_more: match?.hasMore ?? null,
    watched_count: match?.watchedCount ?? null,
    increased: match?.increased ?? null,
    last_refreshed_at: match?.countedAt.toISOString() ?? null,
  },
  collection: { count: collection?.count ?? null, watched_count: collection?.watchedCount ?? 0 },
})
