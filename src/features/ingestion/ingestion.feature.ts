import type { Clock } from "../../kernel/clock.js"
import type { CrashPoints } from "../../kernel/crash-points.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { createSaltMaker } from "../cookieless/index.js"
import type { GeoIp, PersonDeletions, PersonMergeListener } from "../persons/index.js"
import type { GeoIpPlugin } from "../plugins/index.js"
import type { SnapshotSink } from "../recordings/index.js"
import { SHARD_COUNT } from "./batches/batch.store.js"
import { IngestionLoop } from "./batches/ingestion-loop.js"
import { DefinitionCatalogue } from "./definitions/definition-catalogue.js"
import { IngestionResolver } from "./ingestion.resolver.js"
import type { IngestSignal } from "./ingestion.types.js"
import { IngestionLagReader } from "./lag/ingestion-lag.store.js"
import type { BatchSink } from "./rows/batch-sink.types.js"
import { ClickHouseSink } from "./rows/click-house-sink.store.js"

export interface IngestionFeatureDependencies {
  readonly database: Pick<Database, "pool">
  /** Deletions that ClickHouse has yet to apply: tried again now and then. */
  readonly deletions: Pick<PersonDeletions, "applyPending">
  readonly clickHouse: ClickHouse
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV4" | "bytes">
  readonly logger: Logger
  /** Null when no GeoIP file is configured. */
  readonly geoIp: GeoIp | null
  readonly geoIpPlugin: GeoIpPlugin
  readonly signal: IngestSignal
  /** Null in every process that is not made to die. */
  readonly crashPoints: CrashPoints | null
  /** Where messages of recordings go. */
  readonly snapshots: SnapshotSink
  /** Features that keep something by person (cohort members, flag overrides). */
  readonly mergeListeners?: readonly PersonMergeListener[]
  /** Makes the sink publish what it has stored to those who watch. */
  readonly withLiveEvents?: (sink: BatchSink) => BatchSink
}

/** Wires ingestion. `loop` runs in processes with the role `ingest`; `lag` answers in every process. */
export function createIngestionFeature(dependencies: IngestionFeatureDependencies) {
  const {
    database,
    clickHouse,
    clock,
    ids,
    logger,
    geoIp,
    geoIpPlugin,
    signal,
    deletions,
    crashPoints,
    snapshots,
    mergeListeners = [],
    withLiveEvents = (sink) => sink,
  } = dependencies
  const { pool } = database
  const lag = new IngestionLagReader(pool, clock)
  const loop = new IngestionLoop({
    pool,
    clock,
    newToken: () => ids.uuidV4(),
    makeSalts: createSaltMaker(pool, ids),
    logger,
    sink: withLiveEvents(new ClickHouseSink(clickHouse, logger, crashPoints)),
    geoIp,
    geoIpPlugin,
    definitions: new DefinitionCatalogue(),
    mergeListeners,
    snapshots,
    deletions,
    crashPoints,
    signal,
    shardCount: SHARD_COUNT,
  })
  return { loop, lag, resolver: new IngestionResolver(lag) }
}
