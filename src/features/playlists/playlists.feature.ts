import type { Clock } from "../../kernel/clock.js"
import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser } from "../access/index.js"
import type { RecordingsService } from "../recordings/index.js"
import { PlaylistActivityResolver } from "./playlist-activity.resolver.js"
import { createPlaylistActivityReader } from "./playlist-activity.store.js"
import { PlaylistRecordingsService } from "./playlist-recordings.service.js"
import { PlaylistsResolver } from "./playlists.resolver.js"
import { createPlaylistsService } from "./playlists.service.js"
import { createPostgresPlaylistRepository } from "./postgres-playlist.repository.js"
import { createRecordingsCountsLoader } from "./recordings-counts.js"

export interface PlaylistsFeatureDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV7">
  readonly newShortId: () => string
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
  readonly recordings: Pick<RecordingsService, "list">
}

/** Wires playlists: PostgreSQL repository, use cases, resolver. */
export function createPlaylistsFeature(dependencies: PlaylistsFeatureDependencies) {
  const { database, clock, ids, newShortId, userLoader, recordings } = dependencies
  const repository = createPostgresPlaylistRepository(database, ids)
  const readActivity = createPlaylistActivityReader(database)
  const playlists = createPlaylistsService({ repository, readActivity, clock, newShortId })
  const attached = new PlaylistRecordingsService({ playlists, repository, recordings, clock })
  const counts = createRecordingsCountsLoader(repository)
  return {
    resolvers: [
      new PlaylistsResolver(playlists, attached, counts, userLoader),
      new PlaylistActivityResolver(playlists, userLoader),
    ],
  }
}
