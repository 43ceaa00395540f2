import { setTimeout as sleep } from "node:timers/promises"
import { AppError } from "../kernel/errors.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Logger } from "../platform/logger/logger.js"
import { isConnectionLoss } from "../platform/postgres/connection-loss.js"

const RETRY_EVERY_MS = 1_000

export interface PrepareOptions<T> {
  /** Migrations and first keys; may be called again after it failed. */
  readonly prepare: () => Promise<T>
  /** Whether the process is of use while a store is away: it can decide flags from what is on disk. */
  readonly canServeWithout: boolean
  /** Called once the stores are prepared, at once or later. */
  readonly whenPrepared: () => Promise<void>
  readonly logger: Logger
}

/** How far the preparation of the stores is. */
export interface Preparation<T> {
  /** What `prepare` answered at once; null when it was put off. */
  readonly outcome: T | null
  /** Whether the stores are prepared and what waited for them has begun. */
  isDone(): boolean
  /** Begins what waits for the stores, and tries again until they are prepared where that was put off. */
  start(): Promise<void>
  /** Stops trying. */
  stop(): Promise<void>
}

/**
 * Prepares the stores; where one cannot be reached and the process can serve without, puts that off until it can.
 * @throws StartupError and whatever else `prepare` fails with, when it is not put off.
 */
export async function prepareStores<T>(options: PrepareOptions<T>): Promise<Preparation<T>> {
  const { prepare, canServeWithout, whenPrepared, logger } = options
  try {
    const outcome = await prepare()
    return { outcome, isDone: () => true, start: whenPrepared, stop: async () => undefined }
  } catch (failure) {
    if (!canServeWithout || !isUnreachable(failure)) throw failure
    logger.warn("a store cannot be reached; flags are decided from the snapshot on disk until it can", {
      err: failure,
    })
  }
  const stopping = new AbortController()
  let trying: Promise<void> = Promise.resolve()
  let isDone = false
  return {
    outcome: null,
    isDone: () => isDone,
    start: async () => {
      trying = tryUntilPrepared(options, stopping.signal).then((prepared) => {
        isDone = prepared
      })
    },
    stop: async () => {
      stopping.abort()
      await trying
    },
  }
}

/** Answers false when it was stopped before. */
async function tryUntilPrepared<T>(options: PrepareOptions<T>, signal: AbortSignal): Promise<boolean> {
  const { prepare, whenPrepared, logger } = options
  while (!signal.aborted) {
    try {
      await prepare()
      if (signal.aborted) return false
      await whenPrepared()
      logger.info("the stores are reachable; everything is in service")
      return true
    } catch (failure) {
      if (!isUnreachable(failure)) logger.error("the stores could not be prepared; trying again", { err: failure })
    }
    await sleep(RETRY_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  return false
}

/** Migrations say it in a sentence for the operator, everything else as a fault of requests. */
const isUnreachable = (failure: unknown): boolean =>
  failure instanceof StartupError
    ? isConnectionLoss(failure.cause) || isUnreachable(failure.cause)
    : failure instanceof AppError && failure.code === "store_unavailable"
