import { describe, expect, test } from "@jest/globals"
import { decideRefresh } from "../../../../src/features/queries/cache/refresh-decision.js"
import { REFRESH_MODES, type RefreshMode } from "../../../../src/features/queries/queries.types.js"

const NOW_MS = Date.UTC(2026, 0, 15, 12)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Case {
  readonly mode: RefreshMode
  /** Age of the cached result; null when there is none. */
  readonly ageMs: number | null
  readonly interval?: string
  readonly rangeEndMs?: number | null
}

/** In one word what is done: serve, serve-stale, calculate, start, start-with-stale or report-miss. */
function decide({ mode, ageMs, interval, rangeEndMs = null }: Case): string {
  const calculatedAtMs = NOW_MS - (ageMs ?? 0)
  const cached = ageMs === null ? null : { answer: {}, calculatedAtMs, dataThroughMs: calculatedAtMs }
  const query = { kind: "TrendsQuery", ...(interval && { interval }) }
  const decision = decideRefresh({ mode, query, cached, rangeEndMs, nowMs: NOW_MS })
  if (decision.do === "serve") return decision.isStale ? "serve-stale" : "serve"
  if (decision.do === "start") return decision.stale === null ? "start" : "start-with-stale"
  return decision.do
}

describe("a refresh mode", () => {
  const FRESH = HOUR_MS
  const SOMEWHAT = 9 * HOUR_MS
  const STALE = 13 * HOUR_MS
  const table: [mode: RefreshMode, fresh: string, somewhat: string, stale: string, nothing: string][] = [
    ["blocking", "serve", "calculate", "calculate", "calculate"],
    ["async", "serve", "start-with-stale", "start-with-stale", "start"],
    ["lazy_async", "serve", "serve-stale", "start-with-stale", "start"],
    ["force_blocking", "calculate", "calculate", "calculate", "calculate"],
    ["force_async", "start", "start", "start", "start"],
    ["force_cache", "serve", "serve-stale", "serve-stale", "report-miss"],
  ]

  test.each(table)("%s with a fresh result, a somewhat fresh one, a stale one and none", (mode, ...expected) => {
    expect([FRESH, SOMEWHAT, STALE, null].map((ageMs) => decide({ mode, ageMs }))).toEqual(expected)
  })

  test("is one of the six of the table above", () => {
    expect(table.map(([mode]) => mode)).toEqual([...REFRESH_MODES])
  })
})

describe("a result is fresh", () => {
  const table: [interval: string | undefined, veryMs: number, somewhatMs: number][] = [
    ["minute", 5 * MINUTE_MS, 15 * MINUTE_MS],
    ["hour", HOUR_MS, 2 * HOUR_MS],
    ["day", 6 * HOUR_MS, 12 * HOUR_MS],
    ["week", DAY_MS, DAY_MS],
    ["month", 2 * DAY_MS, 2 * DAY_MS],
    [undefined, 6 * HOUR_MS, 12 * HOUR_MS],
    ["fortnight", 6 * HOUR_MS, 12 * HOUR_MS],
    ["__proto__", 6 * HOUR_MS, 12 * HOUR_MS],
    ["constructor", 6 * HOUR_MS, 12 * HOUR_MS],
  ]

  test.each(table)("by the interval %s, to the millisecond", (interval, veryMs, somewhatMs) => {
    const at = (mode: RefreshMode, ageMs: number) => decide({ mode, ageMs, ...(interval && { interval }) })
    expect([at("blocking", veryMs - 1), at("blocking", veryMs)]).toEqual(["serve", "calculate"])
    expect([at("async", veryMs - 1), at("async", veryMs)]).toEqual(["serve", "start-with-stale"])
    expect(at("lazy_async", somewhatMs - 1)).toMatch(/^serve/)
    expect(at("lazy_async", somewhatMs)).toBe("start-with-stale")
  })

  test("for ever when its dates were over ten seconds before it was made", () => {
    const ageMs = 30 * DAY_MS
    const madeAtMs = NOW_MS - ageMs
    expect(decide({ mode: "blocking", ageMs, rangeEndMs: madeAtMs - 10_000 })).toBe("serve")
    expect(decide({ mode: "blocking", ageMs, rangeEndMs: madeAtMs - 9_999 })).toBe("calculate")
    expect(decide({ mode: "force_blocking", ageMs, rangeEndMs: madeAtMs - DAY_MS })).toBe("calculate")
  })

  test("no longer when the clock was set back behind its making", () => {
    expect(decide({ mode: "blocking", ageMs: -HOUR_MS })).toBe("calculate")
  })

  test("not for ever when ingestion had not yet stored all events of its dates", () => {
    const calculatedAtMs = NOW_MS - 30 * DAY_MS
    const cached = { answer: {}, calculatedAtMs, dataThroughMs: calculatedAtMs - 2 * HOUR_MS }
    const request = { mode: "blocking", query: { kind: "TrendsQuery" }, cached, nowMs: NOW_MS } as const
    expect(decideRefresh({ ...request, rangeEndMs: calculatedAtMs - HOUR_MS }).do).toBe("calculate")
    expect(decideRefresh({ ...request, rangeEndMs: calculatedAtMs - 3 * HOUR_MS }).do).toBe("serve")
  })
})
