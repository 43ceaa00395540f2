import { type WatchedDiskSpace, watchDiskSpace } from "../../platform/disk/watch-disk-space.js"
import { maxWalBytes } from "../../platform/embedded/embedded-postgres-settings.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Environment } from "../environment.js"

const BACKLOG_BYTES_ELSEWHERE = 16 * 1024 ** 3

/** Watches the disk that capture must not fill; null where PostgreSQL is a server, for its disk is not ours. */
export const watchOwnDisk = (
  { databaseUrl, minFreeDiskBytes }: Environment,
  dataDirectory: string,
  logger: Logger,
): WatchedDiskSpace | null =>
  databaseUrl === null && minFreeDiskBytes > 0 ? watchDiskSpace(dataDirectory, logger) : null

/** How much may wait in the log, in bytes, and what has to stay free on the disk beside it. */
export function toLogLimits(environment: Environment, diskSpace: WatchedDiskSpace | null) {
  const { databaseUrl, backlogBytes, minFreeDiskBytes } = environment
  return {
    // Where the disk is not known it has to be guessed, and a backlog must end somewhere.
    maxBacklogBytes: backlogBytes ?? (databaseUrl === null ? Number.POSITIVE_INFINITY : BACKLOG_BYTES_ELSEWHERE),
    // PostgreSQL's own log has to fit beside whatever the operator wants to keep free.
    disk: diskSpace && { diskSpace, minFreeBytes: Math.max(minFreeDiskBytes, maxWalBytes(diskSpace.sizeBytes)) },
  }
}
