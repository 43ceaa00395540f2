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
import type { AppendedListener, IngestionWarnings, IngestLogListener, ProjectKeyDirectory } from "./capture.types.js"
import { withCrashPoints } from "./log/crashing-ingest-log.js"
import { type DiskWatermark, withDiskWatermark } from "./log/disk-watermark.js"
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
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV7">
  readonly logger: Logger
  /** Null where the disk of the ingest log is not on this machine. */
  readonly diskWatermark: DiskWatermark | null
  /** Null in every process that is not made to die. */
  readonly crashPoints: CrashPoints | null
}

export interface CaptureFeature {
  readonly service: CaptureService
  readonly routes: readonly DirectRoute[]
  readonly resolver: CaptureResolver
  /** Ingestion reports here too what it drops or changes. */
  readonly warnings: IngestionWarnings
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
  clock,
  ids,
  logger,
  diskWatermark,
  crashPoints,
}: CaptureFeatureDependencies): CaptureFeature {
  const onCommitted = (projectIds: ReadonlySet<ProjectId>) => signal.appended(projectIds)
  const ingestLog = new PostgresIngestLog({ pool: appendPool, logger, onCommitted, ...(onAppended && { onAppended }) })
  const warnings = new PostgresIngestionWarnings({ pool, clock, logger })
  const backlog = diskWatermark === null ? null : watchBacklog(pool)
  const guarded =
    diskWatermark === null || backlog === null
      ? ingestLog
      : withDiskWatermark(ingestLog, diskWatermark, backlog.bytes, logger)
  const log = crashPoints === null ? guarded : withCrashPoints(guarded, crashPoints)
  const service = new CaptureService({ projectKeys, ingestLog: log, warnings, newUuid: () => ids.uuidV7() })
  return {
    service,
    routes: createCaptureRoutes(service),
    resolver: new CaptureResolver(service, clock, new PostgresIngestionWarningHistory(pool)),
    warnings,
    close: async () => {
      await backlog?.close()
      await ingestLog.idle()
      await warnings.flush()
    },
  }
}
