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
    async attach(playlistId, sessionId, at) {
      await run(
        `INSERT INTO session_recording_playlist_item (playlist_id, session_id, attached_at) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING`,
        [playlistId, sessionId, at],
      )
    },
    async detach(playlistId, sessionId) {
      await run("DELETE FROM session_recording_playlist_item WHERE playlist_id = $1 AND session_id = $2", [
        playlistId,
        sessionId,
      ])
    },
  }
}
