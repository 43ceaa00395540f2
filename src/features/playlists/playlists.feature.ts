import type { Clock } from "../../kernel/clock.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { PlaylistsResolver } from "./playlists.resolver.js"
import { createPlaylistsService } from "./playlists.service.js"
import { createPostgresPlaylistRepository } from "./postgres-playlist.repository.js"
import { createRecordingsCountsLoader } from "./recordings-counts.js"

export interface PlaylistsFeatureDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly newShortId: () => string
}

/** Wires playlists: PostgreSQL repository, use cases, resolver. */
export function createPlaylistsFeature({ database, clock, newShortId }: PlaylistsFeatureDependencies) {
  const repository = createPostgresPlaylistRepository(database)
  const service = createPlaylistsService({ repository, clock, newShortId })
  return { resolver: new PlaylistsResolver(service, createRecordingsCountsLoader(repository)) }
}
