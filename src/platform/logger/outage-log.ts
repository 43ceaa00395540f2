import type { Logger } from "./logger.js"

export type OutageLog = ReturnType<typeof createOutageLog>

/**
 * A log for work that fails thousands of times a second while a store is away: one line when that begins and one, with the
 * number of failures, when it is over. A line for each would fill the disk that an operator needs to mend things.
 * @param failing logged when work fails that worked before.
 * @param working logged when it works again.
 */
export function createOutageLog(logger: Logger, level: "warn" | "error", failing: string, working: string) {
  let failures = 0
  return {
    worked: (): void => {
      if (failures > 0) logger.info(working, { failures })
      failures = 0
    },
    failed: (err: unknown): void => {
      if (failures === 0) logger[level](failing, { err })
      failures++
    },
  }
}
