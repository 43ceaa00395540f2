import type { Logger, LogLevel } from "./logger.js"

export interface OutageWords {
  readonly level: Extract<LogLevel, "warn" | "error">
  /** Said when work fails that worked before. */
  readonly begun: string
  /** Said when it works again. */
  readonly over: string
}

/** Hears how each piece of the same work ended. */
export interface OutageLog {
  worked(): void
  failed(err: unknown): void
}

/**
 * A log for work that fails thousands of times a second while a store is away: one line when that begins and one, with the
 * number of failures, when it is over. A line for each would fill the disk that an operator needs to mend things.
 */
export function createOutageLog(logger: Logger, { level, begun, over }: OutageWords): OutageLog {
  let failures = 0
  return {
    worked: () => {
      if (failures > 0) logger.info(over, { failures })
      failures = 0
    },
    failed: (err) => {
      if (failures === 0) logger[level](begun, { err })
      failures++
    },
  }
}
