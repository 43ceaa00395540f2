import { statfsSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { createPeriodicTask } from "../../kernel/periodic-task.js"
import type { Logger } from "../logger/logger.js"

/** The room that is left on one file system. */
export interface DiskSpace {
  /** Bytes that an unprivileged process may still write; about a second old at most. */
  freeBytes(): number
}

/** Room that is read again and again until `close`. */
export interface WatchedDiskSpace extends DiskSpace {
  /** Bytes of the whole file system. */
  readonly sizeBytes: number
  close(): void
}

/** Room on the file system that holds `path`, read now. Rejects when it cannot be asked. */
export async function readDiskSpace(path: string): Promise<{ readonly freeBytes: number; readonly sizeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(path)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

const READ_EVERY_MS = 1_000

/**
 * Watches the file system that holds `path`. When it cannot be asked, the last answer counts.
 * @throws Error when it cannot be asked the first time.
 */
export function watchDiskSpace(path: string, logger: Logger): WatchedDiskSpace {
  const first = statfsSync(path)
  let freeBytes = first.bavail * first.bsize
  const readings = createPeriodicTask(READ_EVERY_MS, async () => {
    try {
      freeBytes = (await readDiskSpace(path)).freeBytes
    } catch (err) {
      logger.warn("the free disk space could not be read", { err })
    }
  })
  readings.start()
  return { sizeBytes: first.blocks * first.bsize, freeBytes: () => freeBytes, close: () => void readings.stop() }
}
