import type { Logger } from "../../../platform/logger/logger.js"

/** Does work that may fail: its result, or null once the failure is in the log as "could not …". Never rejects. */
export type Attempt = <T>(what: string, work: () => Promise<T>) => Promise<T | null>

/** Makes attempts whose failures go to this log. */
export const createAttempt =
  (logger: Pick<Logger, "warn">): Attempt =>
  async (what, work) => {
    try {
      return await work()
    } catch (err) {
      logger.warn(`could not ${what}`, { err })
      return null
    }
  }
