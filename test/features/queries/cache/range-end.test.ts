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

  test("is the time that is written, in the project's zone unless it names one", () => {
    expect(endOf("2026-03-01T10:30:00", "Europe/Berlin")).toBe("2026-03-01T09:30:00.000Z")
    expect(endOf("2026-03-01 10:30", "UTC")).toBe("2026-03-01T10:30:00.000Z")
    expect(endOf("2026-03-01T10:30:00Z", "Europe/Berlin")).toBe("2026-03-01T10:30:00.000Z")
    expect(endOf("2026-03-01T10:30:00+05:00", "Europe/Berlin")).toBe("2026-03-01T05:30:00.000Z")
  })

  test("is not fixed for relative, open, odd and impossible dates, nor for HogQL", () => {
    for (const written of ["-1d", "dStart", "all", "", "2026", "2026-13-45", "tomorrow", null, 5, {}])
      expect(endOf(written)).toBeNull()
    expect(endOf("2026-03-01", "UTC", "HogQLQuery")).toBeNull()
    expect(findRangeEnd({ kind: "TrendsQuery" }, "UTC")).toBeNull()
  })
})
