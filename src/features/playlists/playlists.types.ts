import type { ProjectId, UserId } from "../../kernel/ids.js"
import type {
  PlaylistFilterInput,
  PlaylistInput,
  PlaylistKindEnum,
  PlaylistOrderEnum,
  PlaylistType,
} from "./playlists.graphql.js"

/** A named list of session recordings (`docs/contract/recordings.md#playlist-fields`). */
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

/** The kind of thing that a playlist is in the audit log. */
export const PLAYLIST_SCOPE = "SessionRecordingPlaylist"

/** A playlist to be stored. */
export type NewPlaylist = Omit<Playlist, "id">
