import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"

/** Saved filters whose turn it is to be counted. */
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

/** Counts at rest. Methods throw AppError store_unavailable when the store is away. */
export interface MatchCounts {
  /**
   * Takes the filters that have waited longest and makes them due again at `nextTurn`; null when none are due. New and changed
   * filters are due 10 s after the change. No other process takes the same ones.
   */
  claimDue(now: Date, nextTurn: Date): Promise<DueFilters | null>
  /** Keeps what claimed filters found; null when they cannot be counted. */
  save(due: DueFilters, found: Matches | null, at: Date): Promise<void>
  /** Makes claimed filters due again. */
  release(due: DueFilters): Promise<void>
  /** By playlist id. Absent: what was never counted, was changed since, or has recordings attached. */
  countsOf(playlistIds: readonly number[], viewer: UserId): Promise<Map<number, MatchCount>>
}
