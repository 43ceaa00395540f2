import type { Pool } from "pg"
import type { UserId } from "../../kernel/ids.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"

const COUNT = `
  SELECT item.playlist_id AS "playlistId", count(*)::int AS count, count(view.session_id)::int AS "watchedCount"
  FROM session_recording_playlist_item item
  JOIN session_recording_playlist playlist ON playlist.id = item.playlist_id
  LEFT JOIN session_recording_view view
    ON view.project_id = playlist.project_id AND view.session_id = item.session_id AND view.user_id = $2
  WHERE item.playlist_id = ANY ($1)
  GROUP BY item.playlist_id`

/** How many attached recordings a playlist has, and how many of them one user has viewed. */
export interface CollectionCount {
  readonly count: number
  readonly watchedCount: number
}

export type CountCollections = ReturnType<typeof createCollectionCounts>

/**
 * Counts attached recordings in PostgreSQL, by playlist id; playlists without recordings are absent.
 * Throws AppError store_unavailable when it is away.
 */
export function createCollectionCounts(pool: Pool) {
  return (playlistIds: readonly number[], viewer: UserId): Promise<Map<number, CollectionCount>> =>
    whenReachable(async () => {
      const { rows } = await pool.query<CollectionCount & { playlistId: number }>(COUNT, [playlistIds, viewer])
      return new Map(rows.map(({ playlistId, ...count }) => [playlistId, count]))
    })
}
