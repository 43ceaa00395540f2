import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"

/** A named list of session recordings (`interface.md`, "Session recording playlist"). */
export interface Playlist {
  readonly id: number
  readonly projectId: number
  /** Eight characters, unique in the project; what paths use. */
  readonly shortId: string
  readonly name: string | null
  readonly derivedName: string | null
  readonly description: string
  readonly pinned: boolean
  readonly deleted: boolean
  readonly filters: Json
  readonly createdAt: Date
  readonly createdById: number | null
  readonly lastModifiedAt: Date
  readonly lastModifiedById: number | null
}

/** What a caller may write; an absent field stays as it is. */
export interface PlaylistChanges {
  readonly name?: string | null
  readonly derivedName?: string | null
  readonly description?: string
  readonly pinned?: boolean
  readonly deleted?: boolean
  readonly filters?: Json
}

export const PLAYLIST_ORDERS = ["last_modified_at", "created_at", "name", "derived_name", "pinned"] as const
export type PlaylistOrderField = (typeof PLAYLIST_ORDERS)[number]

export interface PlaylistOrder {
  readonly field: PlaylistOrderField
  readonly descending: boolean
}

/** Conditions of a list; all given ones must hold. */
export interface PlaylistFilter {
  readonly createdBy?: UserId
  readonly shortId?: string
  readonly pinned?: boolean
  /** Part of name or derived name, any case. */
  readonly search?: string
  readonly modifiedFrom?: Date
  readonly modifiedTo?: Date
  /** Only playlists that hold this recording. */
  readonly sessionRecordingId?: string
}

/** How many attached recordings a playlist has, and how many of them one user has viewed. */
export interface CollectionCount {
  readonly count: number
  readonly watchedCount: number
}

export interface NewPlaylist extends Omit<Playlist, "id"> {}

/** Where playlists live. Every call is bounded to one project. */
export interface PlaylistRepository {
  list(
    projectId: ProjectId,
    filter: PlaylistFilter,
    order: PlaylistOrder,
    window: OffsetWindow,
  ): Promise<Page<Playlist>>
  /** Deleted playlists are found too: that is how they are restored. */
  find(projectId: ProjectId, shortId: string): Promise<Playlist | null>
  insert(playlist: NewPlaylist): Promise<Playlist>
  update(projectId: ProjectId, id: number, changes: Partial<NewPlaylist>): Promise<Playlist>
  /** Counts by playlist id; playlists without recordings are absent. */
  collectionCounts(playlistIds: readonly number[], viewer: UserId): Promise<Map<number, CollectionCount>>
  /** Sessions attached to a playlist, newest attachment first. */
  attachedTo(playlistId: number): Promise<string[]>
  attach(playlistId: number, sessionId: string, at: Date): Promise<void>
  detach(playlistId: number, sessionId: string): Promise<void>
}
