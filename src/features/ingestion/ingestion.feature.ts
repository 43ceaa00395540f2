import type { Pool } from "pg"
import type { Clock } from "../../kernel/clock.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { GeoIp, PersonMergeListener } from "../persons/index.js"
import { ClickHouseSink } from "./click-house-sink.store.js"
import { DefinitionCatalogue } from "./definitions/definition-catalogue.js"
import type { IngestSignal } from "./ingestion.types.js"
import { IngestionLagReader } from "./ingestion-lag.store.js"
import { IngestionLoop } from "./ingestion-loop.js"
import { SHARD_COUNT } from "./slice.store.js"

export interface IngestionFeatureDependencies {
  readonly pool: Pool
  readonly clickHouse: ClickHouse
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV4">
  readonly logger: Logger
  /** Null when no GeoIP file is configured. */
  readonly geoIp: GeoIp | null
  readonly signal: IngestSignal
  /** Features that keep something by person (cohort members, flag overrides). */
  readonly mergeListeners?: readonly PersonMergeListener[]
}

/** Wires ingestion. `loop` runs in processes with the role `ingest`; `lag` answers in every process. */
export function createIngestionFeature(dependencies: IngestionFeatureDependencies) {
  const { pool, clickHouse, clock, ids, logger, geoIp, signal, mergeListeners = [] } = dependencies
  const lag = new IngestionLagReader(pool, clock)
  const loop = new IngestionLoop({
    pool,
    clock,
    newToken: () => ids.uuidV4(),
    logger,
    sink: new ClickHouseSink(clickHouse, logger),
    geoIp,
    definitions: new DefinitionCatalogue(),
    mergeListeners,
    signal,
    shardCount: SHARD_COUNT,
  })
  return { loop, lag }
}
