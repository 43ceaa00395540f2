import { describe, expect, test } from "@jest/globals"
import { findRangeEnd } from "../../../../src/features/queries/cache/range-end.js"
import type { Json } from "../../../../src/kernel/json.js"

const endOf = (date_to: Json, timezone = "UTC", kind = "TrendsQuery"): string | null => {
  const endMs = findRangeEnd({ kind, dateRange: { date_from: "-7d", date_to } }, timezone)
  return endMs === null ? null : new Date(endMs).toISOString()
}

describe("the end of an insight's dates", () => {
  test("is the end of the day that is written, in the project's zone", () => {
    expect(endOf("2026-03-01")).toBe("2026-03-02T00:00:00.000Z")
    expect(endOf("2026-03-01", "America/New_York")).toBe("2026-03-02T05:00:00.000Z")
    expect(endOf("2026-03-29", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z")
  })

  test("is the end of the day of a time, whose whole day may count", () => {
    expect(endOf("2026-03-01T10:30:00", "Europe/Berlin")).toBe("2026-03-01T23:00:00.000Z")
    expect(endOf("2026-03-01 10:30", "UTC")).toBe("2026-03-02T00:00:00.000Z")
    expect(endOf("2026-03-01T23:30:00Z", "Europe/Berlin")).toBe("2026-03-02T23:00:00.000Z")
    expect(endOf("2026-03-01T10:30:00+05:00", "Europe/Berlin")).toBe("2026-03-01T23:00:00.000Z")
  })

  test("is not fixed for relative, open, odd and impossible dates, nor for HogQL and lifecycles", () => {
    for (const written of ["-1d", "dStart", "all", "", "2026", "2026-13-45", "tomorrow", null, 5, {}])
      expect(endOf(written)).toBeNull()
    expect(endOf("2026-03-01", "UTC", "HogQLQuery")).toBeNull()
    expect(endOf("2026-03-01", "UTC", "LifecycleQuery")).toBeNull()
    expect(findRangeEnd({ kind: "TrendsQuery" }, "UTC")).toBeNull()
  })
})
