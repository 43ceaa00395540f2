import { PlaylistActivityResolver } from "./playlist-activity.resolver.js"
import { PlaylistsResolver } from "./playlists.resolver.js"

export { playlistEntities } from "./playlist.entity.js"
export { createPlaylistsFeature } from "./playlists.feature.js"

/** Every resolver class of this feature. */
export const playlistResolverClasses = [PlaylistsResolver, PlaylistActivityResolver] as const
