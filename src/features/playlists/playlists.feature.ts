import type { Clock } from "../../kernel/clock.js"
import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser } from "../access/index.js"
import type { RecordingsService } from "../recordings/index.js"
import { PlaylistRecordingsService } from "./playlist-recordings.service.js"
import { PlaylistsResolver } from "./playlists.resolver.js"
import { createPlaylistsService } from "./playlists.service.js"
import { createPostgresPlaylistRepository } from "./postgres-playlist.repository.js"
import { createRecordingsCountsLoader } from "./recordings-counts.js"

export interface PlaylistsFeatureDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly newShortId: () => string
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
  readonly recordings: Pick<RecordingsService, "list">
}

/** Wires playlists: PostgreSQL repository, use cases, resolver. */
export function createPlaylistsFeature(dependencies: PlaylistsFeatureDependencies) {
  const { database, clock, newShortId, userLoader, recordings } = dependencies
  const repository = createPostgresPlaylistRepository(database)
  const playlists = createPlaylistsService({ repository, clock, newShortId })
  const attached = new PlaylistRecordingsService({ playlists, repository, recordings, clock })
  const counts = createRecordingsCountsLoader(repository)
  return { resolver: new PlaylistsResolver(playlists, attached, counts, userLoader) }
}
