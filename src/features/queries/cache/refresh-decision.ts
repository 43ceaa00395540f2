import { isRecent } from "../../../kernel/clock.js"
import { assertNever } from "../../../kernel/errors.js"
import type { CachedAnswer, QueryObject, QueryRequest, RefreshMode } from "../queries.types.js"

/** Whether a request wants a new calculation, whatever is kept. */
export const isForced = ({ refresh }: QueryRequest): boolean =>
  refresh === "force_blocking" || refresh === "force_async"

/** What to do with a request, given what the cache holds. `isStale` is of results older than a fresh one may be. */
export type RefreshDecision =
  | { readonly do: "serve"; readonly cached: CachedAnswer; readonly isStale: boolean }
  | { readonly do: "calculate" }
  | { readonly do: "start"; readonly stale: CachedAnswer | null }
  | { readonly do: "report-miss" }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * How old a result may be and still be "very fresh" and "somewhat fresh", by interval
 * (`docs/contract/queries.md#refresh-modes`).
 */
const FRESHNESS_MS: Readonly<Record<string, readonly [very: number, somewhat: number]>> = {
  second: [5 * MINUTE_MS, 15 * MINUTE_MS],
  minute: [5 * MINUTE_MS, 15 * MINUTE_MS],
  hour: [HOUR_MS, 2 * HOUR_MS],
  day: [6 * HOUR_MS, 12 * HOUR_MS],
  week: [DAY_MS, DAY_MS],
  month: [2 * DAY_MS, 2 * DAY_MS],
  quarter: [2 * DAY_MS, 2 * DAY_MS],
}
const DEFAULT_FRESHNESS_MS = [6 * HOUR_MS, 12 * HOUR_MS] as const

/** For any text, as the interval is only checked when the query is read. */
const findFreshness = (interval: string): readonly [very: number, somewhat: number] =>
  (Object.hasOwn(FRESHNESS_MS, interval) ? FRESHNESS_MS[interval] : undefined) ?? DEFAULT_FRESHNESS_MS

/** A result is final when its dates were over this long before it was calculated. */
const RANGE_ALLOWANCE_MS = 10_000

/** What the decision depends on. */
export interface RefreshRequest {
  readonly mode: RefreshMode
  readonly query: QueryObject
  readonly cached: CachedAnswer | null
  /** End of the query's dates when it is fixed, in milliseconds since the epoch; null for a range that moves or is open. */
  readonly rangeEndMs: number | null
  readonly nowMs: number
}

/** Whether a result stays right for good: when it was made, its dates were over and all their events stored. */
export const isFinalResult = ({ calculatedAtMs, dataThroughMs }: CachedAnswer, rangeEndMs: number | null): boolean =>
  rangeEndMs !== null && rangeEndMs + RANGE_ALLOWANCE_MS <= Math.min(calculatedAtMs, dataThroughMs)

/** Decides by refresh mode (`docs/contract/queries.md#refresh-modes`). `force_cache` never calculates. */
export function decideRefresh({ mode, query, cached, rangeEndMs, nowMs }: RefreshRequest): RefreshDecision {
  const [veryFreshMs, somewhatFreshMs] = findFreshness(String(query.interval))
  const isYoungerThan = (ms: number): boolean =>
    cached !== null && (isFinalResult(cached, rangeEndMs) || isRecent(nowMs, cached.calculatedAtMs, ms))
  const serve = (found: CachedAnswer): RefreshDecision => ({
    do: "serve",
    cached: found,
    isStale: !isYoungerThan(veryFreshMs),
  })
  switch (mode) {
    case "blocking":
      return cached !== null && isYoungerThan(veryFreshMs) ? serve(cached) : { do: "calculate" }
    case "async":
      return cached !== null && isYoungerThan(veryFreshMs) ? serve(cached) : { do: "start", stale: cached }
    case "lazy_async":
      return cached !== null && isYoungerThan(somewhatFreshMs) ? serve(cached) : { do: "start", stale: cached }
    case "force_blocking":
      return { do: "calculate" }
    case "force_async":
      return { do: "start", stale: null }
    case "force_cache":
      return cached === null ? { do: "report-miss" } : serve(cached)
    default:
      return assertNever(mode)
  }
}
