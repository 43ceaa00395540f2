import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type {
  PlaylistFilterInput,
  PlaylistInput,
  PlaylistKindEnum,
  PlaylistOrderEnum,
  PlaylistType,
} from "./playlists.graphql.js"

/** A named list of session recordings (`interface.md`, "Session recording playlist"). */
export interface Playlist extends Readonly<PlaylistType> {
  readonly projectId: ProjectId
  readonly createdById: UserId | null
  readonly lastModifiedById: UserId | null
}

/** What a caller may write; an absent field stays as it is. */
export type PlaylistChanges = Readonly<PlaylistInput>

/** What a playlist holds: recordings that were attached, or those that its saved filters find. */
export type PlaylistKind = PlaylistKindEnum

/** The order of a list of playlists. */
export interface PlaylistOrder {
  readonly field: PlaylistOrderEnum
  readonly descending: boolean
}

/** Conditions of a list; all given ones must hold. */
export interface PlaylistFilter extends Readonly<Omit<PlaylistFilterInput, "mine" | "createdBy">> {
  readonly createdBy?: UserId
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
