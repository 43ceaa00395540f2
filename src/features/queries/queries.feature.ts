import type { Clock } from "../../kernel/clock.js"
import type { KeyValueCache } from "../../platform/cache/key-value-cache.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import { createQueryResultCache } from "./cache/query-result.cache.js"
import { createDraftSql } from "./draft-sql.service.js"
import { createClickHouseQueryEngine } from "./engine/click-house-query-engine.store.js"
import type { QueryEngine } from "./engine/query-engine.types.js"
import { createCalculations } from "./execution/calculations.js"
import { createFlightNotes, NO_NOTES } from "./execution/flight-notes.cache.js"
import { createPostgresQueryFlights } from "./execution/postgres-query-flight.store.js"
import { FLIES_ALONE } from "./execution/query-flights.types.js"
import { blockingTurns, EXPORT_TURNS, QueryTurns } from "./execution/query-turns.js"
import { createQueryExports, MAX_EXPORT_ROWS } from "./exports/query-exports.js"
import { createQueryKinds } from "./kinds/kinds.js"
import { QueriesResolver } from "./queries.resolver.js"
import { createQueriesService } from "./queries.service.js"
import type { IngestionWatermark, ProjectSettingsReader } from "./queries.types.js"
import type { RecordingLister } from "./recording-lister.types.js"
import { createPostgresQueryRunRepository } from "./runs/postgres-query-run.repository.js"
import { createQueryWorker } from "./runs/query-worker.js"
import { createRunBoard } from "./runs/run-board.js"
import { createRunPerformer } from "./runs/run-performer.js"
import { createPostgresQuerySchemaReader } from "./schema/postgres-query-schema.store.js"

/** What an operator may set about blocking queries of one process. */
export interface BlockingLimits {
  /** Time limit of one query. */
  readonly seconds: number
  /** A few at once keep two processors busy; more would only take them from capture (`reliability.md` B10). */
  readonly atOnce: number
  /** Queries that may wait for their turn. */
  readonly waiting: number
}

const STANDARD_LIMITS: BlockingLimits = { seconds: 60, atOnce: 4, waiting: 1_000 }

export interface QueriesFeatureDependencies {
  readonly database: Database
  readonly clickHouse: ClickHouse
  readonly cache: KeyValueCache
  /** Whether other processes find in the cache what this one keeps: only then equal queries are calculated once by all. */
  readonly isCacheShared?: boolean
  readonly pubSub: PubSub
  readonly projects: ProjectSettingsReader
  readonly recordings: RecordingLister
  readonly reach: IngestionWatermark
  readonly clock: Clock
  readonly newId: () => string
  readonly logger: Logger
  /** Background runs at once in this process. */
  readonly maxConcurrentRuns: number
  readonly blockingLimits?: BlockingLimits
  /** Most rows of one export. */
  readonly maxExportRows?: number
}

/** Wires queries: kinds over the engine, tracked runs in PostgreSQL, the background worker (role `query`). */
export function createQueriesFeature(dependencies: QueriesFeatureDependencies) {
  const { database, clickHouse, pubSub, projects, recordings, reach, clock, newId, logger, maxConcurrentRuns } =
    dependencies
  const board = createRunBoard(createPostgresQueryRunRepository(database), pubSub, clock, (failure) =>
    logger.warn("a change of a query run could not be told or heard", { failure }),
  )
  const noteCacheFailure = (failure: unknown): void => logger.warn("the result cache failed", { failure })
  const cache = createQueryResultCache(dependencies.cache, noteCacheFailure)
  const engine = createClickHouseQueryEngine(clickHouse)
  const schemas = createPostgresQuerySchemaReader(database, clock)
  const kindsOver = (over: QueryEngine) => createQueryKinds(over, schemas, recordings)
  const kinds = kindsOver(engine)
  const { seconds: blockingSeconds, atOnce, waiting } = dependencies.blockingLimits ?? STANDARD_LIMITS
  const turns = new QueryTurns(blockingTurns(atOnce, waiting))
  const performer = createRunPerformer({ board, engine, logger, newId })
  const flights = dependencies.isCacheShared
    ? createPostgresQueryFlights(database.pool, (failure) =>
        logger.warn("whether another process calculates a query could not be asked", { failure }),
      )
    : FLIES_ALONE
  const notes = dependencies.isCacheShared ? createFlightNotes(dependencies.cache, noteCacheFailure) : NO_NOTES
  const calculations = createCalculations({
    ...{ kinds, cache, projects, reach, turns, flights, notes, blockingSeconds, clock },
  })
  const service = createQueriesService({ board, performer, calculations, cache, projects, clock, newId })
  const draftSql = createDraftSql({ kinds, kindsOver, projects, nowMs: () => clock.now(), newId })
  const lines = { kindsOver, engine, board, performer, projects, clock, newId }
  const { maxExportRows: maxRows = MAX_EXPORT_ROWS } = dependencies
  const exports = createQueryExports({ ...lines, turns: new QueryTurns(EXPORT_TURNS), maxRows })
  const worker = createQueryWorker({
    ...{ board, engine, logger, maxConcurrentRuns, newId },
    perform: service.performClaimed,
    isPerforming: performer.isPerforming,
  })
  return { resolver: new QueriesResolver(service, draftSql), service, exports, worker, board, turns }
}
