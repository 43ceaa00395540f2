import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"

/** A named list of session recordings (`interface.md`, "Session recording playlist"). */
export interface Playlist {
  readonly id: number
  readonly projectId: ProjectId
  /** Eight characters, unique in the project; what paths use. */
  readonly shortId: string
  readonly name: string | null
  readonly derivedName: string | null
  readonly description: string
  readonly pinned: boolean
  readonly deleted: boolean
  readonly filters: Json
  readonly createdAt: Date
  readonly createdById: UserId | null
  readonly lastModifiedAt: Date
  readonly lastModifiedById: UserId | null
}

/** What a caller may write; an absent field stays as it is. */
export interface PlaylistChanges {
  readonly name?: string | null
  readonly derivedName?: string | null
  readonly description?: string
  readonly pinned?: boolean
  readonly deleted?: boolean
  readonly filters?: Json
  /** Only when a playlist is made, as a check: the kind follows from the filters, so nobody needs to name it. */
  readonly type?: PlaylistKind | null
}

/** What a playlist holds: recordings that were attached, or those that its saved filters find. */
const PLAYLIST_TYPES = ["collection", "filters"] as const
/** One of the two kinds of playlists. */
export type PlaylistKind = (typeof PLAYLIST_TYPES)[number]

const PLAYLIST_ORDERS = [
  "id",
  "short_id",
  "name",
  "derived_name",
  "description",
  "pinned",
  "created_at",
  "created_by",
  "last_modified_at",
  "last_modified_by",
] as const
/** A field by which playlists can be ordered. */
export type PlaylistOrderField = (typeof PLAYLIST_ORDERS)[number]

/** The order of a list of playlists. */
export interface PlaylistOrder {
  readonly field: PlaylistOrderField
  readonly descending: boolean
}

/** Conditions of a list; all given ones must hold. */
export interface PlaylistFilter {
  readonly createdBy?: UserId
  readonly shortId?: string
  readonly type?: PlaylistKind
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

/** Counts by playlist id; playlists without recordings are absent. */
export type CountCollections = (playlistIds: readonly number[], viewer: UserId) => Promise<Map<number, CollectionCount>>

/** The kind of thing that a playlist is in the audit log. */
export const PLAYLIST_SCOPE = "SessionRecordingPlaylist"

/** A playlist to be stored. */
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
  /** The audit log is written with the playlist, or neither is. */
  insert(playlist: NewPlaylist, author: UserId): Promise<Playlist>
  /** As `insert`. `at` is when the change is made. */
  update(projectId: ProjectId, id: number, changes: Partial<NewPlaylist>, author: UserId, at: Date): Promise<Playlist>
  /** Sessions attached to a playlist, newest attachment first. */
  listAttached(playlistId: number): Promise<string[]>
  /** Gives how many were not attached before. */
  attach(playlistId: number, sessionIds: readonly string[], at: Date): Promise<number>
  /** Gives how many were attached. */
  detach(playlistId: number, sessionIds: readonly string[]): Promise<number>
}
