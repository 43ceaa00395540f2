import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { ActivityReader, BasicUser } from "../access/index.js"
import type { RecordingsService } from "../recordings/index.js"
import { createCollectionCounts } from "./collection-counts.store.js"
import { createMatchCounter } from "./match-counts/match-counter.js"
import { createMatchCounts } from "./match-counts/match-counts.store.js"
import { createPlaylistRepository } from "./playlist.repository.js"
import { PlaylistActivityResolver } from "./playlist-activity.resolver.js"
import { PlaylistRecordingsService } from "./playlist-recordings.service.js"
import { PlaylistsResolver } from "./playlists.resolver.js"
import { createPlaylistsService } from "./playlists.service.js"
import { createRecordingsCountsLoader } from "./recordings-counts.js"

export interface PlaylistsFeatureDependencies extends Pick<Platform, "database" | "clock" | "ids" | "logger"> {
  readonly newShortId: () => string
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
  readonly auditLog: ActivityReader
  readonly recordings: Pick<RecordingsService, "list" | "listByQuery" | "findShown">
}

/** Wires playlists: PostgreSQL repository, use cases, resolvers, and the counting of what saved filters find. */
export function createPlaylistsFeature(dependencies: PlaylistsFeatureDependencies) {
  const { database, clock, ids, newShortId, userLoader, auditLog, recordings, logger } = dependencies
  const repository = createPlaylistRepository(database.records, ids)
  const playlists = createPlaylistsService(repository, auditLog, clock, newShortId)
  const attached = new PlaylistRecordingsService(playlists, repository, recordings, clock)
  const matches = createMatchCounts(database.pool)
  const counts = createRecordingsCountsLoader(createCollectionCounts(database.pool, recordings), matches)
  return {
    /** Work of the role `query`. */
    matchCounter: createMatchCounter(matches, recordings, clock, logger),
    resolvers: [
      new PlaylistsResolver(playlists, attached, counts, userLoader),
      new PlaylistActivityResolver(playlists),
    ],
  }
}
