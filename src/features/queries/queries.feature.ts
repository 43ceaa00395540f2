import type { Clock } from "../../kernel/clock.js"
import type { KeyValueCache } from "../../platform/cache/key-value-cache.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Ids } from "../../platform/ids/ids.js"
import { FairConcurrencyLimiter } from "../../platform/limits/fair-concurrency-limiter.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import { createGenerationReader } from "./cache/answer-erasure.store.js"
import { createAnswerDeletion, createQueryResultCache } from "./cache/query-result.cache.js"
import { createCheckQuery } from "./check-query.service.js"
import { createDraftSql } from "./draft-sql.service.js"
import { createClickHouseQueryEngine } from "./engine/click-house-query-engine.store.js"
import type { QueryEngine } from "./engine/query-engine.types.js"
import { createBriefScope } from "./execution/brief-scope.js"
import { createFlightAnnouncements } from "./execution/flight-announcements.cache.js"
import { createPostgresSingleFlight } from "./execution/postgres-single-flight.store.js"
import { QueryExecutor } from "./execution/query-executor.js"
import { EXPORT_LIMITS, toBackgroundLimits, toBlockingLimits } from "./execution/query-limits.js"
import { WITHIN_ONE_PROCESS } from "./execution/single-flight.types.js"
import { createExportTickets } from "./exports/export-tickets.js"
import { ExportsResolver } from "./exports/exports.resolver.js"
import { createQueryExports, MAX_EXPORT_ROWS } from "./exports/query-exports.js"
import { InsightChangesResolver } from "./insight-changes.resolver.js"
import { createQueryKinds } from "./kinds/kinds.js"
import { QueriesResolver } from "./queries.resolver.js"
import { createQueriesService } from "./queries.service.js"
import type { IngestionWatermark, ProjectSettingsReader, QuerySettingsReader, StoredEvents } from "./queries.types.js"
import { QueryStatusesResolver } from "./query-statuses.resolver.js"
import type { RecordingLister } from "./recording-lister.types.js"
import { createPostgresQueryRunStore } from "./runs/postgres-query-run.store.js"
import { createQueryRunExecutor } from "./runs/query-run-executor.js"
import { createQueryRunTracker } from "./runs/query-run-tracker.js"
import { createQueryWorker } from "./runs/query-worker.js"
import { createPostgresQuerySchemaReader } from "./schema/postgres-query-schema.store.js"
import { TypedQueriesResolver } from "./typed/typed-queries.resolver.js"

/** What an operator may set about blocking queries of one process. */
export interface BlockingLimits {
  /** Time limit of one query. */
  readonly seconds: number
  /**
   * Queries at once. A few keep two processors busy; more would only slow down capture
   * (`docs/contract/faults.md#query-floods`).
   */
  readonly atOnce: number
  /** Queries that may wait for a slot. */
  readonly waiting: number
}

const STANDARD_LIMITS: BlockingLimits = { seconds: 60, atOnce: 4, waiting: 1_000 }

export interface QueriesFeatureDependencies {
  readonly database: Database
  readonly clickHouse: ClickHouse
  readonly cache: KeyValueCache
  /** Whether processes share the cache: only then are equal queries executed once by all of them. */
  readonly isCacheShared?: boolean
  readonly pubSub: PubSub
  readonly projects: ProjectSettingsReader
  readonly recordings: RecordingLister
  /** Of the sessions feature: whether the sessions of all events are rolled up. Absent where they always are. */
  readonly hasAllSessions?: () => Promise<boolean>
  readonly watermark: IngestionWatermark
  readonly storedEvents: StoredEvents
  readonly clock: Clock
  readonly newId: () => string
  readonly ids: Pick<Ids, "secret">
  readonly logger: Logger
  /** Background runs at once in this process. */
  readonly maxConcurrentRuns: number
  readonly blockingLimits?: BlockingLimits
  /** Most rows of one export. */
  readonly maxExportRows?: number
}

/** Wires queries: kinds over the engine, tracked runs in PostgreSQL, the background worker (role `query`). */
export function createQueriesFeature(dependencies: QueriesFeatureDependencies) {
  const { database, clickHouse, pubSub, projects, recordings, watermark, storedEvents, clock, newId, ids, logger } =
    dependencies
  const { maxConcurrentRuns, maxExportRows: maxRows = MAX_EXPORT_ROWS } = dependencies
  const { seconds: blockingSeconds, atOnce, waiting } = dependencies.blockingLimits ?? STANDARD_LIMITS
  const onFailure = (message: string) => (failure: unknown) => logger.warn(message, { err: failure })
  const onCacheFailure = onFailure("the result cache failed")

  const engine = createClickHouseQueryEngine(clickHouse)
  const schemas = createPostgresQuerySchemaReader(database, clock, dependencies.hasAllSessions)
  const kindsOver = (over: QueryEngine) => createQueryKinds(over, schemas, recordings)
  const kinds = kindsOver(engine)

  const findGeneration = createGenerationReader(database.pool)
  const cache = createQueryResultCache(dependencies.cache, findGeneration, onCacheFailure)
  const limiter = new FairConcurrencyLimiter(toBlockingLimits(atOnce, waiting))
  const background = new FairConcurrencyLimiter(toBackgroundLimits(maxConcurrentRuns))
  const singleFlight = dependencies.isCacheShared
    ? {
        ...createPostgresSingleFlight(database.pool, onFailure("equal queries of other processes could not be found")),
        ...createFlightAnnouncements(dependencies.cache, onCacheFailure),
      }
    : WITHIN_ONE_PROCESS
  const queryExecutor = new QueryExecutor({
    kinds,
    cache,
    watermark,
    limiters: { blocking: limiter, background },
    engine,
    singleFlight,
    blockingSeconds,
    clock,
  })

  const tracker = createQueryRunTracker(
    createPostgresQueryRunStore(database.pool),
    pubSub,
    clock,
    onFailure("a change of a query run could not be published or read"),
  )
  const runExecutor = createQueryRunExecutor({ tracker, engine, logger, newId })
  const settings: QuerySettingsReader = {
    settings: async (projectId) => {
      const [own, generation] = await Promise.all([projects.settings(projectId), findGeneration(projectId)])
      return { ...own, generation }
    },
  }
  const common = { tracker, runExecutor, projects, clock, newId }
  const findScope = createBriefScope({ projects, nowMs: () => clock.now(), newId })
  const check = createCheckQuery({ kindsOver, findScope })
  const service = createQueriesService({
    ...common,
    storedEvents,
    projects: settings,
    kinds,
    queryExecutor,
    cache,
    check,
  })
  const exportLimiter = new FairConcurrencyLimiter(EXPORT_LIMITS)
  const exports = createQueryExports({ ...common, kindsOver, engine, limiter: exportLimiter, maxRows })
  const exportTickets = createExportTickets(dependencies.cache, clock, ids)
  const { isExecuting } = runExecutor
  const execute = service.executeClaimed
  const hasFreePlace = () => background.running < maxConcurrentRuns
  const work = { execute, isExecuting, hasFreePlace }
  const worker = createQueryWorker({ tracker, engine, logger, maxConcurrentRuns, newId, ...work })
  const draftSql = createDraftSql({ kinds, kindsOver, findScope })
  const resolvers = [
    new QueriesResolver(service, draftSql),
    new QueryStatusesResolver(service),
    new InsightChangesResolver(service),
    new TypedQueriesResolver(service),
    new ExportsResolver(exportTickets, service, newId),
  ]
  const deleteAnswers = createAnswerDeletion(dependencies.cache, onCacheFailure)
  return { resolvers, service, exports, exportTickets, worker, tracker, limiter, deleteAnswers }
}
