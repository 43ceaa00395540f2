import type { Pool } from "pg"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { EMPTY_FILTERS } from "../playlist-kind.js"
import type { DueFilters, MatchCount, MatchCounts } from "./match-counts.types.js"

const WITHOUT_ITEMS =
  "NOT EXISTS (SELECT FROM session_recording_playlist_item item WHERE item.playlist_id = playlist.id)"

const CLAIM = `
  WITH due AS (
    SELECT playlist.id FROM session_recording_playlist playlist
      LEFT JOIN session_recording_playlist_match match ON match.playlist_id = playlist.id
     WHERE NOT playlist.deleted
       AND coalesce(playlist.filters, 'null')::text NOT IN (${EMPTY_FILTERS.map((text) => `'${text}'`).join(", ")})
       AND playlist.last_modified_at <= $2
       AND (match.playlist_id IS NULL OR match.attempted_at <= $3 OR match.attempted_at < playlist.last_modified_at)
       AND ${WITHOUT_ITEMS}
     ORDER BY match.attempted_at NULLS FIRST, playlist.id LIMIT 1 FOR UPDATE OF playlist SKIP LOCKED
  ), claimed AS (
    INSERT INTO session_recording_playlist_match (playlist_id, attempted_at) SELECT id, $1 FROM due
    ON CONFLICT (playlist_id) DO UPDATE SET attempted_at = excluded.attempted_at RETURNING playlist_id
  )
  SELECT playlist.id AS "playlistId", playlist.project_id AS "projectId", playlist.filters
    FROM claimed JOIN session_recording_playlist playlist ON playlist.id = claimed.playlist_id`

/** The count before is only one to compare with when the filters are the same. */
const SAVE = `
  UPDATE session_recording_playlist_match SET
    previous_count = CASE WHEN filters = $2::jsonb THEN cardinality(session_ids) END,
    filters = $2::jsonb, session_ids = $3, has_more = $4, counted_at = CASE WHEN $3::text[] IS NULL THEN NULL ELSE $5::timestamptz END
  WHERE playlist_id = $1`

const RELEASE = "UPDATE session_recording_playlist_match SET attempted_at = '-infinity' WHERE playlist_id = $1"

const COUNTS = `
  SELECT match.playlist_id AS "playlistId", cardinality(match.session_ids) AS count, match.has_more AS "hasMore",
    coalesce(match.previous_count < cardinality(match.session_ids), false) AS increased, match.counted_at AS "countedAt",
    (SELECT count(*)::int FROM session_recording_view view
      WHERE view.project_id = playlist.project_id AND view.user_id = $2 AND view.session_id = ANY (match.session_ids)
    ) AS "watchedCount"
  FROM session_recording_playlist_match match JOIN session_recording_playlist playlist ON playlist.id = match.playlist_id
  WHERE match.playlist_id = ANY ($1) AND match.counted_at IS NOT NULL AND match.filters = playlist.filters AND ${WITHOUT_ITEMS}`

/** Counts in PostgreSQL. */
export function createPostgresMatchCounts(pool: Pool): MatchCounts {
  const run = <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>(text, [...values])).rows)
  return {
    claimDue: async ({ now, settledBefore, staleBefore }) =>
      (await run<DueFilters>(CLAIM, [now, settledBefore, staleBefore]))[0] ?? null,
    save: async ({ playlistId, filters }, found, at) => {
      const values = [playlistId, JSON.stringify(filters), found?.sessionIds ?? null, found?.hasMore ?? null, at]
      await run(SAVE, values)
    },
    release: async ({ playlistId }) => {
      await run(RELEASE, [playlistId])
    },
    countsOf: async (playlistIds, viewer) => {
      const rows = await run<MatchCount & { readonly playlistId: number }>(COUNTS, [playlistIds, viewer])
      return new Map(rows.map(({ playlistId, ...count }) => [playlistId, count]))
    },
  }
}
