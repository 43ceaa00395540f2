import type { Pool } from "pg"
import type { Clock } from "../../kernel/clock.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import { type CaptureEndpoint, createCaptureEndpoint } from "./capture.endpoint.js"
import { CaptureResolver } from "./capture.resolver.js"
import { CaptureService } from "./capture.service.js"
import type { IngestionWarnings, IngestLogListener, ProjectKeyDirectory } from "./capture.types.js"
import { PostgresIngestLog } from "./postgres-ingest.log.js"
import { PostgresIngestionWarningHistory } from "./postgres-ingestion-warning-history.store.js"
import { PostgresIngestionWarnings } from "./postgres-ingestion-warnings.store.js"

export interface CaptureFeatureDependencies {
  readonly pool: Pool
  readonly projectKeys: ProjectKeyDirectory
  readonly signal: IngestLogListener
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV7">
  readonly logger: Logger
}

export interface CaptureFeature {
  readonly service: CaptureService
  readonly endpoint: CaptureEndpoint
  readonly resolver: CaptureResolver
  /** Ingestion reports here too what it drops or changes. */
  readonly warnings: IngestionWarnings
  /** Waits for what is being written. Call it when no request comes in any more and before PostgreSQL is closed. */
  close(): Promise<void>
}

/** Wires capture on PostgreSQL. */
export function createCaptureFeature({
  pool,
  projectKeys,
  signal,
  clock,
  ids,
  logger,
}: CaptureFeatureDependencies): CaptureFeature {
  const ingestLog = new PostgresIngestLog({ pool, logger, onCommitted: () => signal.appended() })
  const warnings = new PostgresIngestionWarnings({ pool, clock, logger })
  const service = new CaptureService({ projectKeys, ingestLog, warnings, newUuid: () => ids.uuidV7() })
  return {
    service,
    endpoint: createCaptureEndpoint(service),
    resolver: new CaptureResolver(service, clock, new PostgresIngestionWarningHistory(pool)),
    warnings,
    close: async () => {
      await ingestLog.idle()
      await warnings.flush()
    },
  }
}
