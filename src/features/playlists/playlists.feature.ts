import type { Clock } from "../../kernel/clock.js"
import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser } from "../access/index.js"
import { PlaylistsResolver } from "./playlists.resolver.js"
import { createPlaylistsService } from "./playlists.service.js"
import { createPostgresPlaylistRepository } from "./postgres-playlist.repository.js"
import { createRecordingsCountsLoader } from "./recordings-counts.js"

export interface PlaylistsFeatureDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly newShortId: () => string
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
}

/** Wires playlists: PostgreSQL repository, use cases, resolver. */
export function createPlaylistsFeature({ database, clock, newShortId, userLoader }: PlaylistsFeatureDependencies) {
  const repository = createPostgresPlaylistRepository(database)
  const service = createPlaylistsService({ repository, clock, newShortId })
  return { resolver: new PlaylistsResolver(service, createRecordingsCountsLoader(repository), userLoader) }
}
