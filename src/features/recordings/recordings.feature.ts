import type { HogqlScope } from "../../hogql/index.js"
import type { Clock } from "../../kernel/clock.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { BasicUser } from "../access/index.js"
import type { PersonDirectory, PersonLoaders } from "../persons/index.js"
import { createRecordingDeletions } from "./click-house-recording-deletions.store.js"
import { createClickHouseRecordings } from "./click-house-recordings.store.js"
import { createPostgresRecordingViews } from "./postgres-recording-views.store.js"
import { RecordingsResolver } from "./recordings.resolver.js"
import { RecordingsService } from "./recordings.service.js"
import type { ProjectSettings } from "./recordings.types.js"
import { RecordingsSnapshotSink } from "./snapshot-sink.js"
import { createViewersLoader } from "./viewers.loader.js"

export interface RecordingsFeatureDependencies {
  readonly database: Pick<Database, "pool">
  readonly clickHouse: ClickHouse
  readonly clock: Clock
  readonly projects: ProjectSettings
  readonly persons: Pick<PersonDirectory, "distinctIdsOf">
  readonly personLoaders: Pick<PersonLoaders, "byDistinctId" | "distinctIds">
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
  /** What HogQL means in a project just now, for conditions on properties. */
  readonly scopeOf: (projectId: ProjectId) => Promise<HogqlScope>
  /** Makes a request fault of the engine's refusal of a user's condition; gives back anything else as it is. */
  readonly toQueryFault: (failure: unknown) => unknown
}

/** Wires recordings: `snapshots` is what ingestion hands its snapshot messages to. */
export function createRecordingsFeature(dependencies: RecordingsFeatureDependencies) {
  const { database, clickHouse, clock, projects, persons, personLoaders, userLoader, scopeOf } = dependencies
  const views = createPostgresRecordingViews(database.pool)
  const service = new RecordingsService({
    ...{ views, projects, persons, scopeOf, clock },
    store: createClickHouseRecordings(clickHouse, dependencies.toQueryFault),
  })
  const loaders = { persons: personLoaders, viewers: createViewersLoader(views), users: userLoader }
  return {
    service,
    snapshots: new RecordingsSnapshotSink(projects, createRecordingDeletions(clickHouse)),
    resolver: new RecordingsResolver(service, loaders),
  }
}
