import type { HogqlScope } from "../../hogql/index.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import { startInterval } from "../../kernel/periodic-task.js"
import { toBatchEnd } from "../../kernel/place.js"
import { createProjectLoader } from "../../kernel/project-loader.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { Platform } from "../../platform/platform.types.js"
import type { BasicUser } from "../access/index.js"
import type { PersonDirectory, PersonLoaders } from "../persons/index.js"
import { RecordingChangesResolver } from "./changes/recording-changes.resolver.js"
import { RecordingChangesService } from "./changes/recording-changes.service.js"
import { createStoredBlocks } from "./changes/stored-blocks.store.js"
import { createRecordingViews } from "./recording-views.repository.js"
import { RecordingsResolver } from "./recordings.resolver.js"
import { RecordingsService } from "./recordings.service.js"
import { createRecordingStore } from "./recordings.store.js"
import type { ProjectReader } from "./recordings.types.js"
import { createSnapshotSink } from "./snapshot-sink.js"

export interface RecordingsFeatureDependencies extends Omit<Platform, "ids" | "pubSub"> {
  /** Up to which batch a project is stored, and when that has changed. */
  readonly storedBatches: {
    readonly findLast: (projectId: ProjectId) => Promise<number>
    readonly onStored: (projectId: ProjectId, listener: () => void) => Promise<() => Promise<void>>
  }
  readonly projects: ProjectReader
  readonly persons: Pick<PersonDirectory, "listDistinctIds">
  readonly personLoaders: Pick<PersonLoaders, "byDistinctId" | "distinctIds">
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
  /** What HogQL means in a project just now, for conditions on properties. */
  readonly readScope: (projectId: ProjectId) => Promise<HogqlScope>
  /** Makes a request fault of the engine's refusal of a user's condition; gives back anything else as it is. */
  readonly toQueryFault: (failure: unknown) => unknown
}

/** Wires recordings: `snapshots` is what ingestion hands its snapshot messages to. */
export function createRecordingsFeature(dependencies: RecordingsFeatureDependencies) {
  const { database, clickHouse, clock, logger, projects, persons, personLoaders, userLoader, readScope } = dependencies
  const { storedBatches } = dependencies
  const views = createRecordingViews(database.records)
  const store = createRecordingStore(clickHouse, dependencies.toQueryFault)
  const service = new RecordingsService(store, views, projects, persons, readScope, clock)
  const viewers = createProjectLoader(async (projectId, sessionIds: readonly string[]) => {
    const found = await views.findViewers(projectId, sessionIds)
    return (sessionId) => found.get(sessionId) ?? []
  })
  const loaders = { persons: personLoaders, viewers, users: userLoader }
  const changes = new RecordingChangesService({
    blocks: createStoredBlocks(clickHouse),
    findLast: async (projectId) => toBatchEnd(await storedBatches.findLast(projectId)),
    onStored: storedBatches.onStored,
    now: () => clock.now(),
    every: startInterval,
    onFailure: (err) => logger.warn("changes of recordings could not be read and will be tried again", { err }),
  })
  return {
    service,
    snapshots: createSnapshotSink(projects, store),
    /** For the retention of projects. */
    removeSilent: store.removeSilent,
    resolvers: [new RecordingsResolver(service, loaders), new RecordingChangesResolver(changes, service)] as const,
  }
}
