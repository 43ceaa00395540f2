import { describe, expect, test } from "@jest/globals"
import {
  findNextInterval,
  findNextLook,
  toFilePrefix,
  toFullSecond,
  toIntervalEnd,
} from "../../../src/features/scheduled-exports/runs/interval.js"
import type { ExportContent, ExportFrequency } from "../../../src/features/scheduled-exports/scheduled-exports.types.js"

const at = (time: string): Date => new Date(`2026-11-${time}Z`)

function next(
  exportedUntil: string,
  now: string,
  {
    content = "events",
    frequency = "hourly",
    cut,
  }: { content?: ExportContent; frequency?: ExportFrequency; cut?: string } = {},
): string | null {
  const cutAt = cut === undefined ? null : at(cut)
  const interval = findNextInterval({ content, frequency, exportedUntil: at(exportedUntil), cutAt }, at(now))
  return interval && toFilePrefix(interval)
}

describe("the next interval of an export", () => {
  test("is over when its hour or its day is, by UTC", () => {
    expect(next("29T01:00:00", "29T01:59:59")).toBe(null)
    expect(next("29T01:00:00", "29T02:00:00")).toBe("2026-11-29T01-00-00Z--2026-11-29T02-00-00Z")
    expect(next("29T00:00:00", "29T23:59:59", { frequency: "daily" })).toBe(null)
    expect(next("29T00:00:00", "30T00:00:00", { frequency: "daily" })).toBe(
      "2026-11-29T00-00-00Z--2026-11-30T00-00-00Z",
    )
  })

  test("is the oldest that was missed of events, and the last one of what is only as it is now", () => {
    expect(next("28T01:00:00", "29T07:30:00")).toBe("2026-11-28T01-00-00Z--2026-11-28T02-00-00Z")
    expect(next("28T01:00:00", "29T07:30:00", { content: "persons" })).toBe(
      "2026-11-29T06-00-00Z--2026-11-29T07-00-00Z",
    )
  })

  test("ends where somebody wants it to, once, and the one after it at the full hour", () => {
    const cut = "29T01:19:31"
    expect(toFullSecond(at("29T01:19:30.700"))).toEqual(at(cut))
    expect(next("29T01:00:00", "29T01:19:30.900", { cut })).toBe(null)
    const hourly = { frequency: "hourly", exportedUntil: at("29T01:00:00"), cutAt: at(cut) } as const
    expect(findNextLook(hourly, at("29T01:19:30.900"))).toEqual(at(cut))
    expect(next("29T01:00:00", "29T01:20:00", { cut })).toBe("2026-11-29T01-00-00Z--2026-11-29T01-19-31Z")
    expect(next("29T01:19:31", "29T01:20:00", { cut })).toBe(null)
    expect(findNextLook({ ...hourly, exportedUntil: at(cut) }, at("29T01:20:00"))).toEqual(at("29T02:00:00"))
    expect(next("29T01:19:31", "29T02:00:00", { cut })).toBe("2026-11-29T01-19-31Z--2026-11-29T02-00-00Z")
    expect(toIntervalEnd("daily", at(cut))).toEqual(at("30T00:00:00"))
  })
})
