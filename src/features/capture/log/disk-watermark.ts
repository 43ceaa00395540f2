import { AppError } from "../../../kernel/errors.js"
import type { DiskSpace } from "../../../platform/disk/watch-disk-space.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { IngestLog } from "../capture.types.js"

const RETRY_AFTER_SECONDS = 10
const BYTES_PER_MEBIBYTE = 1024 * 1024
/**
 * What storing may take of each byte that waits: rows of events with a copy of their person, rows of new persons in both
 * stores, and the same again for a while where ClickHouse merges. Four were measured (decision 0052).
 */
const ROOM_FOR_BACKLOG = 5

/** Where the ingest log lies, and how many bytes must stay free there. */
export interface DiskWatermark {
  readonly diskSpace: DiskSpace
  /** Without any backlog. */
  readonly minFreeBytes: number
}

/**
 * An ingest log that takes nothing while its disk is nearly full: what is left is for storing what was accepted before,
 * and a PostgreSQL without room for its own log stops altogether (`docs/contract/faults.md#nearly-full-disk`). It goes
 * on by itself when there is room.
 * @param backlogBytes of what was accepted and is not yet stored.
 */
export function withDiskWatermark(
  log: IngestLog,
  { diskSpace, minFreeBytes }: DiskWatermark,
  backlogBytes: () => number,
  logger: Logger,
): IngestLog {
  let wasLow = false
  return {
    append: (batch) => {
      const neededBytes = minFreeBytes + ROOM_FOR_BACKLOG * backlogBytes()
      const isLow = diskSpace.freeBytes() < neededBytes
      if (isLow !== wasLow) logChange(logger, isLow, neededBytes)
      wasLow = isLow
      return isLow ? Promise.reject(diskFull(neededBytes)) : log.append(batch)
    },
  }
}

function logChange(logger: Logger, isLow: boolean, neededBytes: number): void {
  if (isLow) logger.error("the disk is nearly full: no events are accepted", { neededBytes })
  else logger.warn("the disk has room again: events are accepted", { neededBytes })
}

const diskFull = (neededBytes: number): AppError =>
  new AppError("store_unavailable", {
    detail: `The disk of this server has less than ${Math.ceil(neededBytes / BYTES_PER_MEBIBYTE)} MiB free (MIN_FREE_DISK_MB, or more while events wait to be stored). Events are accepted again when there is room. Please retry.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
