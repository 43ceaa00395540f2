import { AppError } from "../../../kernel/errors.js"
import type { DiskSpace } from "../../../platform/disk/watch-disk-space.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { CaptureRefusal, IngestLog } from "../capture.types.js"
import type { WatchedBacklog } from "./watch-backlog.store.js"

const RETRY_AFTER_SECONDS = 10
const BYTES_PER_MEBIBYTE = 1024 * 1024
/**
 * What storing may take of each byte that waits: rows of events with a copy of their person, rows of new persons in both
 * stores, and the same again for a while where ClickHouse merges. Four were measured (decision 0052).
 */
const DISK_PER_WAITING_BYTE = 5
/**
 * A project may have this many times as much waiting as there is room left. One that floods alone gets four fifths of the log,
 * several get less each, and there always is room for one that has nothing waiting.
 */
const SHARE_OF_ROOM = 4

/** Where the ingest log lies, and how many bytes must stay free there. */
export interface DiskWatermark {
  readonly diskSpace: DiskSpace
  /** Without any backlog. */
  readonly minFreeBytes: number
}

export interface LogLimits {
  /** Bytes that may wait, whatever the disk has free; infinite where only the disk counts. */
  readonly maxBacklogBytes: number
  /** Null where the disk of the ingest log is not on this machine. */
  readonly disk: DiskWatermark | null
}

/** An ingest log that says why it takes nothing just now. */
export interface LimitedIngestLog extends IngestLog {
  /** Null while events are accepted. */
  refusal(): CaptureRefusal | null
}

/**
 * An ingest log that takes nothing while there is no room for it: what is left of the disk is for storing what was accepted
 * before, and a PostgreSQL without room for its own log stops altogether (`docs/contract/faults.md#room-for-the-backlog`). It
 * goes on by itself when there is room.
 */
export function withLogLimits(
  log: IngestLog,
  { maxBacklogBytes, disk }: LogLimits,
  backlog: Pick<WatchedBacklog, "bytes" | "bytesOf">,
  logger: Logger,
): LimitedIngestLog {
  /** Bytes that may still be added to those that wait. */
  const ofLimit = () => maxBacklogBytes - backlog.bytes()
  const ofDisk = () =>
    disk === null
      ? Number.POSITIVE_INFINITY
      : (disk.diskSpace.freeBytes() - disk.minFreeBytes) / DISK_PER_WAITING_BYTE - backlog.bytes()
  const findRefusal = (): CaptureRefusal | null => (ofDisk() < 0 ? "disk" : ofLimit() <= 0 ? "backlog" : null)
  const toFault = (refusal: CaptureRefusal): AppError =>
    refusal === "disk"
      ? refuse(
          `The disk of this server has less than ${toMebibytes((disk?.minFreeBytes ?? 0) + DISK_PER_WAITING_BYTE * backlog.bytes())} MiB free (MIN_FREE_DISK_MB, or more while events wait to be stored). Events are accepted again when there is room. Please retry.`,
        )
      : refuse(
          `${toMebibytes(maxBacklogBytes)} MiB of events wait to be stored (INGEST_BACKLOG_MB). Events are accepted again when there are fewer. Please retry.`,
        )
  let logged: CaptureRefusal | null = null
  return {
    refusal: findRefusal,
    append: (batch) => {
      const refusal = findRefusal()
      if (refusal !== logged) logChange(logger, refusal)
      logged = refusal
      if (refusal !== null) return Promise.reject(toFault(refusal))
      if (backlog.bytesOf(batch.projectId) <= SHARE_OF_ROOM * Math.min(ofLimit(), ofDisk())) return log.append(batch)
      return Promise.reject(
        refuse("Too many events of this project wait to be stored; what is left is for others. Please retry."),
      )
    },
  }
}

function logChange(logger: Logger, refusal: CaptureRefusal | null): void {
  if (refusal === null) logger.warn("there is room again: events are accepted")
  else if (refusal === "disk") logger.error("the disk is nearly full: no events are accepted")
  else logger.error("as many events wait to be stored as may: no more are accepted", { setting: "INGEST_BACKLOG_MB" })
}

const toMebibytes = (bytes: number): number => Math.ceil(bytes / BYTES_PER_MEBIBYTE)

const refuse = (detail: string): AppError =>
  new AppError("store_unavailable", { detail, retryAfterSeconds: RETRY_AFTER_SECONDS })
