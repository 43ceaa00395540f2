import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { createSaltMaker } from "../cookieless/index.js"
import type { AppendSignal } from "./batches/append-signal.js"
import { IngestionLoop, type IngestionLoopOptions } from "./batches/ingestion-loop.js"
import { DeadLetterStore } from "./dead-letters/dead-letter.store.js"
import { DeadLettersResolver } from "./dead-letters/dead-letters.resolver.js"
import { DefinitionCatalogue } from "./definitions/definition-catalogue.js"
import { IngestionResolver } from "./ingestion.resolver.js"
import { IngestionLagReader } from "./lag/ingestion-lag.store.js"
import { createLagWatch } from "./lag/watch-lag.js"
import { ClickHouseSink } from "./rows/click-house-sink.store.js"
import { SpareCatalogue } from "./spares/spare-catalogue.js"
import { createSpareFill } from "./spares/spare-fill.store.js"

export interface IngestionFeatureDependencies
  extends Omit<IngestionLoopOptions, "ownerPool" | "ids" | "makeSalts" | "sink" | "definitions" | "spares"> {
  readonly database: Pick<Database, "pool" | "ownerPool">
  readonly clickHouse: ClickHouse
  readonly ids: Pick<Ids, "uuidV4" | "bytes">
  readonly signal: AppendSignal
}

/**
 * Wires ingestion. `loop` and `spareFill` run in processes with the role `ingest`; `lag`, `lagWatch` and `deadLetters` in
 * every process.
 */
export function createIngestionFeature(dependencies: IngestionFeatureDependencies) {
  const { database, clickHouse, clock, ids, logger, signal, crashPoints } = dependencies
  const { pool, ownerPool } = database
  const lag = new IngestionLagReader(pool, clock)
  const loop = new IngestionLoop(signal, {
    ...dependencies,
    ownerPool,
    makeSalts: createSaltMaker(pool, ids),
    sink: new ClickHouseSink(clickHouse, logger, crashPoints),
    definitions: new DefinitionCatalogue(),
    spares: new SpareCatalogue(clock),
  })
  const deadLetters = new DeadLetterStore(pool, clock)
  return {
    loop,
    lag,
    lagWatch: createLagWatch(() => lag.read(), logger),
    deadLetters,
    spareFill: createSpareFill({ pool, clickHouse, clock, logger }),
    resolvers: [new IngestionResolver(lag), new DeadLettersResolver(deadLetters)],
  }
}
