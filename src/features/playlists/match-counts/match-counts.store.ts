import type { Pool } from "pg"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { hasNoFilters } from "../playlist-kind.js"

/** Saved filters that are due to be counted. */
export interface DueFilters {
  readonly playlistId: number
  readonly projectId: ProjectId
  readonly filters: Json
  /** False for what was deleted, emptied, or has recordings attached. */
  readonly isCountable: boolean
}

/** What saved filters found. */
export interface Matches {
  /** Newest first and cut. */
  readonly sessionIds: readonly string[]
  /** Whether there are more than those. */
  readonly hasMore: boolean
}

/** The last count of a playlist's saved filters as one user sees it. */
export interface MatchCount {
  readonly count: number
  readonly hasMore: boolean
  /** How many of them the user has viewed. */
  readonly watchedCount: number
  /** Whether there was an earlier count of the same filters and it was lower. */
  readonly increased: boolean
  readonly countedAt: Date
}

const WITHOUT_ITEMS =
  "NOT EXISTS (SELECT FROM session_recording_playlist_item item WHERE item.playlist_id = playlist.id)"
const HAS_NO_FILTERS = hasNoFilters("playlist.filters")

/**
 * A trigger notes new and changed filters as due. What cannot be counted as it is, is not due again before it is changed;
 * recordings may be detached at any time, so playlists with some are looked at each time.
 */
const CLAIM = `
  WITH due AS (
    SELECT playlist_id FROM session_recording_playlist_match
     WHERE due_at <= $1 ORDER BY due_at, playlist_id LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  UPDATE session_recording_playlist_match match
     SET due_at = CASE WHEN playlist.deleted OR ${HAS_NO_FILTERS} THEN 'infinity' ELSE $2::timestamptz END
    FROM due JOIN session_recording_playlist playlist ON playlist.id = due.playlist_id
   WHERE match.playlist_id = due.playlist_id
  RETURNING playlist.id AS "playlistId", playlist.project_id AS "projectId", playlist.filters,
    (NOT playlist.deleted AND NOT ${HAS_NO_FILTERS} AND ${WITHOUT_ITEMS}) AS "isCountable"`

/** Keeps the previous count only when the filters are the same: else there is nothing to compare with. */
const SAVE = `
  UPDATE session_recording_playlist_match SET
    previous_count = CASE WHEN filters = $2::jsonb THEN cardinality(session_ids) END,
    filters = $2::jsonb, session_ids = $3, has_more = $4, counted_at = CASE WHEN $3::text[] IS NULL THEN NULL ELSE $5::timestamptz END
  WHERE playlist_id = $1`

const RELEASE = "UPDATE session_recording_playlist_match SET due_at = '-infinity' WHERE playlist_id = $1"

const COUNTS = `
  SELECT match.playlist_id AS "playlistId", cardinality(match.session_ids) AS count, match.has_more AS "hasMore",
    coalesce(match.previous_count < cardinality(match.session_ids), false) AS increased, match.counted_at AS "countedAt",
    (SELECT count(*)::int FROM session_recording_view view
      WHERE view.project_id = playlist.project_id AND view.user_id = $2 AND view.session_id = ANY (match.session_ids)
    ) AS "watchedCount"
  FROM session_recording_playlist_match match JOIN session_recording_playlist playlist ON playlist.id = match.playlist_id
  WHERE match.playlist_id = ANY ($1) AND match.counted_at IS NOT NULL AND match.filters = playlist.filters AND ${WITHOUT_ITEMS}`

export type MatchCounts = ReturnType<typeof createMatchCounts>

/** Counts of saved filters in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createMatchCounts(pool: Pool) {
  const run = <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>(text, [...values])).rows)
  return {
    /**
     * Takes the filters that have waited longest and makes them due again at `nextDue`; null when none are due. New and changed
     * filters are due 10 s after the change. No other process takes the same ones.
     */
    claimDue: async (now: Date, nextDue: Date): Promise<DueFilters | null> =>
      (await run<DueFilters>(CLAIM, [now, nextDue]))[0] ?? null,
    /** Stores what claimed filters found; null when they cannot be counted. */
    save: async ({ playlistId, filters }: DueFilters, found: Matches | null, at: Date): Promise<void> => {
      const values = [playlistId, JSON.stringify(filters), found?.sessionIds ?? null, found?.hasMore ?? null, at]
      await run(SAVE, values)
    },
    /** Makes claimed filters due again. */
    release: async ({ playlistId }: DueFilters): Promise<void> => {
      await run(RELEASE, [playlistId])
    },
    /** By playlist id. Absent: what was never counted, was changed since, or has recordings attached. */
    findByPlaylists: async (playlistIds: readonly number[], viewer: UserId): Promise<Map<number, MatchCount>> => {
      const rows = await run<MatchCount & { readonly playlistId: number }>(COUNTS, [playlistIds, viewer])
      return new Map(rows.map(({ playlistId, ...count }) => [playlistId, count]))
    },
  }
}
