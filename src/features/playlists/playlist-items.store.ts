import type { Pool } from "pg"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { PlaylistRepository } from "./playlists.types.js"

/** What is attached to playlists, in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createPlaylistItems(pool: Pool): Pick<PlaylistRepository, "attach" | "detach" | "attachedTo"> {
  const run = (text: string, values: readonly unknown[]) => whenReachable(() => pool.query(text, [...values]))
  return {
    async attachedTo(playlistId) {
      const { rows } = await run(
        `SELECT session_id FROM session_recording_playlist_item WHERE playlist_id = $1
          ORDER BY attached_at DESC, session_id DESC`,
        [playlistId],
      )
      return rows.map((row: { session_id: string }) => row.session_id)
    },
    async attach(playlistId, sessionIds, at) {
      const { rowCount } = await run(
        `INSERT INTO session_recording_playlist_item (playlist_id, session_id, attached_at)
         SELECT $1, session_id, $3 FROM unnest($2::text[]) AS session_id ON CONFLICT DO NOTHING`,
        [playlistId, sessionIds, at],
      )
      return rowCount ?? 0
    },
    async detach(playlistId, sessionIds) {
      const { rowCount } = await run(
        "DELETE FROM session_recording_playlist_item WHERE playlist_id = $1 AND session_id = ANY ($2::text[])",
        [playlistId, sessionIds],
      )
      return rowCount ?? 0
    },
  }
}
