import type { CrashPoints } from "../../../kernel/crash-points.js"
import type { IngestLog } from "../capture.types.js"

/** An ingest log that dies before it writes, or after its commit and before anybody is answered. */
export const withCrashPoints = (log: IngestLog, crashPoints: CrashPoints): IngestLog => ({
  append: async (batch) => {
    crashPoints.hit("before-append")
    await log.append(batch)
    crashPoints.hit("after-append")
  },
})
