import { describe, expect, test } from "@jest/globals"
import { toTimeMs } from "../../src/kernel/time-text.js"

const NOW_MS = Date.parse("2024-03-31T15:45:30.250Z")

describe("a time of a parameter", () => {
  test.each([
    ["-3h", "2024-03-31T12:45:30.250Z"],
    ["-7d", "2024-03-24T15:45:30.250Z"],
    ["7d", "2024-03-24T15:45:30.250Z"],
    ["2w", "2024-03-17T15:45:30.250Z"],
    ["-1m", "2024-03-01T05:45:30.250Z"],
    ["-2m", "2024-01-30T19:45:30.250Z"],
    ["-1y", "2023-04-01T09:45:30.250Z"],
    ["2024-03-10", "2024-03-10T00:00:00.000Z"],
    ["2024-03-10 10:00", "2024-03-10T10:00:00.000Z"],
    ["2024-03-10T10:00:00+0200", "2024-03-10T08:00:00.000Z"],
  ])("%s is %s: months have 730 hours, years 8,766", (text, moment) => {
    const timeMs = toTimeMs(text, NOW_MS)
    expect(timeMs === null ? null : new Date(timeMs).toISOString()).toBe(moment)
  })

  test.each(["", "soon", "+1d", "-d", "-1q", "-1s", "-1dStart", "-100000h", "2024-13-01"])("cannot be %j", (text) => {
    expect(toTimeMs(text, NOW_MS)).toBeNull()
  })
})
