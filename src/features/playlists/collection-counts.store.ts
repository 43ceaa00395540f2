import type { Pool } from "pg"
import { AppError } from "../../kernel/errors.js"
import { type ProjectId, toComparedSessionId, type UserId } from "../../kernel/ids.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { RecordingsService } from "../recordings/index.js"

const ITEMS = `
  SELECT item.playlist_id AS "playlistId", playlist.project_id AS "projectId", item.session_id AS "sessionId",
    view.session_id IS NOT NULL AS "isWatched"
  FROM session_recording_playlist_item item
  JOIN session_recording_playlist playlist ON playlist.id = item.playlist_id
  LEFT JOIN session_recording_view view
    ON view.project_id = playlist.project_id AND view.session_id = item.session_id AND view.user_id = $2
  WHERE item.playlist_id = ANY ($1)`

/** Sessions that one question to the store of recordings may name. */
const MAX_ASKED = 1_000

interface Item {
  readonly playlistId: number
  readonly projectId: ProjectId
  readonly sessionId: string
  readonly isWatched: boolean
}

/** How many attached recordings a playlist shows, and how many of them one user has viewed. */
export interface CollectionCount {
  readonly count: number
  readonly watchedCount: number
}

export type CountCollections = ReturnType<typeof createCollectionCounts>

/**
 * Counts attached recordings, by playlist id; playlists without any are absent. Counted are those that the playlist's list
 * shows, and all that are attached while recordings cannot be asked for. Throws AppError store_unavailable when PostgreSQL is
 * away.
 */
export function createCollectionCounts(pool: Pool, recordings: Pick<RecordingsService, "findShown">) {
  const keepShown = async (projectId: ProjectId, items: readonly Item[]): Promise<readonly Item[]> => {
    const sessionIds = [...new Set(items.map(({ sessionId }) => sessionId))]
    const shown = new Set<string>()
    for (let from = 0; from < sessionIds.length; from += MAX_ASKED)
      for (const id of await recordings.findShown(projectId, sessionIds.slice(from, from + MAX_ASKED)))
        shown.add(toComparedSessionId(id))
    return items.filter(({ sessionId }) => shown.has(toComparedSessionId(sessionId)))
  }
  return async (playlistIds: readonly number[], viewer: UserId): Promise<Map<number, CollectionCount>> => {
    const { rows } = await whenReachable(() => pool.query<Item>(ITEMS, [playlistIds, viewer]))
    const ofProjects = [...Map.groupBy(rows, ({ projectId }) => projectId)]
    const shown = await Promise.all(
      ofProjects.map(([projectId, items]) => keepShown(projectId, items).catch((fault) => orAll(fault, items))),
    )
    const ofPlaylists = Map.groupBy(shown.flat(), ({ playlistId }) => playlistId)
    return new Map([...ofPlaylists].map(([playlistId, items]) => [playlistId, toCount(items)]))
  }
}

function orAll(fault: unknown, items: readonly Item[]): readonly Item[] {
  if (fault instanceof AppError && fault.code === "store_unavailable") return items
  throw fault
}

const toCount = (items: readonly Item[]): CollectionCount => ({
  count: items.length,
  watchedCount: items.filter(({ isWatched }) => isWatched).length,
})
