export { PlaylistEntity } from "./playlist.entity.js"
export { createPlaylistsFeature, type PlaylistsFeatureDependencies } from "./playlists.feature.js"
export { PlaylistsResolver } from "./playlists.resolver.js"
