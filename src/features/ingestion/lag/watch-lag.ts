import { createPeriodicTask, type PeriodicTask } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { IngestionLag } from "../ingestion.types.js"

const READ_EVERY_MS = 10_000
/** An ingester that takes over from another needs a moment. */
const READINGS_WITHOUT_OWNER = 2

/** Lag that somebody should know of, in seconds (`docs/contract/faults.md#overload-of-ingestion`). */
export const MAX_USUAL_LAG_SECONDS = 300

/**
 * Says in the log when ingestion is far behind, when nobody ingests, and when that is over. A PostgreSQL that cannot be asked is
 * told of elsewhere.
 */
export function createLagWatch(read: () => Promise<IngestionLag>, logger: Logger): PeriodicTask {
  let isBehind = false
  let readingsWithoutOwner = 0
  const look = ({ oldestUnstoredSeconds, shardsWithoutOwner }: IngestionLag): void => {
    const wasBehind = isBehind
    isBehind = oldestUnstoredSeconds > MAX_USUAL_LAG_SECONDS
    if (isBehind && !wasBehind) logger.warn("ingestion is far behind", { oldestUnstoredSeconds })
    if (wasBehind && !isBehind) logger.info("ingestion is up to date again", { oldestUnstoredSeconds })
    const hadOwners = readingsWithoutOwner < READINGS_WITHOUT_OWNER
    readingsWithoutOwner = shardsWithoutOwner > 0 ? readingsWithoutOwner + 1 : 0
    if (hadOwners && readingsWithoutOwner === READINGS_WITHOUT_OWNER)
      logger.warn("nobody ingests: accepted events wait for a process with the role ingest", { shardsWithoutOwner })
    if (!hadOwners && readingsWithoutOwner === 0) logger.info("somebody ingests again")
  }
  return createPeriodicTask(READ_EVERY_MS, () => read().then(look, () => undefined))
}
