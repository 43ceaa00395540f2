import type { Pool } from "pg"
import type { Clock } from "../../kernel/clock.js"
import type { CrashPoints } from "../../kernel/crash-points.js"
import type { DirectRoute } from "../../kernel/direct-route.types.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import { CaptureResolver } from "./capture.resolver.js"
import { createCaptureRoutes } from "./capture.routes.js"
import { CaptureService } from "./capture.service.js"
import type {
  AppendedListener,
  ByteQuota,
  CaptureRefusal,
  FindPlace,
  IngestionWarnings,
  IngestLogListener,
  ProjectKeyDirectory,
} from "./capture.types.js"
import { createByteCount } from "./log/byte-count.js"
import { withCrashPoints } from "./log/crashing-ingest-log.js"
import { type LogLimits, withLogLimits } from "./log/log-limits.js"
import { PostgresIngestLog } from "./log/postgres-ingest.log.js"
import { watchBacklog } from "./log/watch-backlog.store.js"
import { PostgresIngestionWarningHistory } from "./warnings/postgres-ingestion-warning-history.store.js"
import { PostgresIngestionWarnings } from "./warnings/postgres-ingestion-warnings.store.js"

export interface CaptureFeatureDependencies {
  readonly pool: Pool
  /** Connections of the ingest log alone. */
  readonly appendPool: Pool
  readonly projectKeys: ProjectKeyDirectory
  readonly signal: IngestLogListener
  readonly onAppended?: AppendedListener
  readonly findPlace: FindPlace
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV7">
  readonly logger: Logger
  readonly logLimits: LogLimits
  readonly quota: ByteQuota
  /** Null in every process that is not made to die. */
  readonly crashPoints: CrashPoints | null
}

export interface CaptureFeature {
  readonly service: CaptureService
  readonly routes: readonly DirectRoute[]
  readonly resolver: CaptureResolver
  /** Ingestion reports here too what it drops or changes. */
  readonly warnings: IngestionWarnings
  /** Why no events are accepted just now; null while they are. */
  refusal(): CaptureRefusal | null
  /** Waits for what is being written. Call it when no request comes in any more and before PostgreSQL is closed. */
  close(): Promise<void>
}

/** Wires capture on PostgreSQL. */
export function createCaptureFeature({
  pool,
  appendPool,
  projectKeys,
  signal,
  onAppended,
  findPlace,
  clock,
  ids,
  logger,
  logLimits,
  quota,
  crashPoints,
}: CaptureFeatureDependencies): CaptureFeature {
  const onCommitted = (projectIds: ReadonlySet<ProjectId>) => signal.appended(projectIds)
  const warnings = new PostgresIngestionWarnings({ pool, clock, logger })
  const ingestLog = new PostgresIngestLog({
    pool: appendPool,
    logger,
    onCommitted,
    countBytes: createByteCount(quota, warnings),
    ...(onAppended && { onAppended }),
  })
  const backlog = watchBacklog(pool)
  const limited = withLogLimits(ingestLog, logLimits, backlog, logger)
  const log = crashPoints === null ? limited : withCrashPoints(limited, crashPoints)
  const service = new CaptureService({ projectKeys, ingestLog: log, warnings, findPlace, newUuid: () => ids.uuidV7() })
  return {
    service,
    routes: createCaptureRoutes(service),
    resolver: new CaptureResolver(service, clock, new PostgresIngestionWarningHistory(pool)),
    warnings,
    refusal: limited.refusal,
    close: async () => {
      await backlog.close()
      await ingestLog.idle()
      await warnings.flush()
    },
  }
}
