import type { Clock } from "../kernel/clock.js"
import type { RequestAllowance, RequestContext } from "../kernel/request-context.js"
import type { Counters } from "../platform/counters/counters.js"
import type { RateBudget } from "../platform/limits/rate-budget.js"
import type { Logger } from "../platform/logger/logger.js"
import { createOutageLog } from "../platform/logger/outage-log.js"

/**
 * How often one personal key, or the secret keys of one project, may ask; 0 means as often as it likes
 * (`docs/contract/management.md#rate-limits`).
 */
export interface RateLimits {
  readonly perMinute: number
  readonly perHour: number
}

/** A request that was counted: its context knows whether it came too soon, its answer carries the headers. */
export interface RateLimitResult {
  readonly context: RequestContext
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Counts a request of a personal or secret key. Does not refuse it itself: the guard does, once key, project and scope are
 * right. One without a key has nothing to be right. @throws AppError rate_limited for a request without a key.
 */
export type ConsumeRateLimit = (context: RequestContext) => Promise<RateLimitResult>

/** Lets every request pass, and says nothing of limits in the reply. */
export const unlimited: ConsumeRateLimit = async (context) => ({ context, headers: {} })

export interface RateLimiterDependencies {
  readonly counters: Counters
  readonly clock: Clock
  readonly limits: RateLimits
  /** Requests without a key, by address; those with one are counted by it. Nobody is limited when absent. */
  readonly keyless?: RateBudget
  readonly logger: Logger
}

interface Window {
  readonly limit: number
  readonly seconds: number
}

interface Usage {
  readonly limit: number
  readonly remaining: number
  /** Until the window ends. */
  readonly resetSeconds: number
  readonly isOver: boolean
}

/**
 * Makes the counter of requests. Windows are those of the clock, so every process ends them together. When the counters are
 * away nobody is refused: a limit protects the service, it must not be what fails it.
 */
export function createRateLimiter(dependencies: RateLimiterDependencies): ConsumeRateLimit {
  const { counters, clock, limits, keyless, logger } = dependencies
  const windows: readonly Window[] = [
    { limit: limits.perMinute, seconds: 60 },
    { limit: limits.perHour, seconds: 3600 },
  ].filter(({ limit }) => limit > 0)

  const failing = "requests cannot be counted, so none is refused"
  const outage = createOutageLog(logger, "warn", failing, "requests are counted again")
  const count = async (keyId: string, { limit, seconds }: Window): Promise<Usage> => {
    const nowSeconds = clock.now() / 1000
    const index = Math.floor(nowSeconds / seconds)
    const used = await counters.increment(`rate:${keyId}:${seconds}:${index}`, 1, seconds)
    const resetSeconds = Math.max(1, Math.ceil((index + 1) * seconds - nowSeconds))
    return { limit, remaining: Math.max(0, limit - used), resetSeconds, isOver: used > limit }
  }
  return async (context) => {
    const keyId = countedAs(context)
    if (context.authenticationFault === "absent") keyless?.take(context.senderIp)
    if (keyId === null || windows.length === 0) return { context, headers: {} }
    try {
      const usages = await Promise.all(windows.map((window) => count(keyId, window)))
      outage.worked()
      const waits = usages.flatMap(({ isOver, resetSeconds }) => (isOver ? [resetSeconds] : []))
      const throttledForSeconds = waits.length === 0 ? null : Math.max(...waits)
      const tightest = findTightest(usages)
      const rateLimit = tightest === null ? null : toAllowance(tightest, clock.now())
      const headers = tightest === null ? {} : toHeaders(tightest)
      return { context: { ...context, throttledForSeconds, rateLimit }, headers }
    } catch (err) {
      outage.failed(err)
      return { context, headers: {} }
    }
  }
}

/** Whose requests these are: a personal key's, or those of the secret keys of one project together. Null counts nobody. */
function countedAs({ principal, secretProjectId }: RequestContext): string | null {
  if (principal !== null) return principal.keyId
  return secretProjectId == null ? null : `secret-of-${secretProjectId}`
}

/** The window that will refuse the caller first: the one with the fewest requests left, then the longest. */
const findTightest = (usages: readonly Usage[]): Usage | null =>
  usages.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds)[0] ?? null

const toAllowance = ({ limit, remaining, resetSeconds }: Usage, nowMs: number): RequestAllowance => ({
  limit,
  remaining,
  resetAt: new Date((Math.round(nowMs / 1000) + resetSeconds) * 1000).toISOString(),
})

const toHeaders = ({ limit, remaining, resetSeconds }: Usage): Record<string, string> => ({
  "RateLimit-Limit": String(limit),
  "RateLimit-Remaining": String(remaining),
  "RateLimit-Reset": String(resetSeconds),
})
