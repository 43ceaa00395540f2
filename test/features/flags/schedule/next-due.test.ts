import { describe, expect, test } from "@jest/globals"
import { findNextDue, type Recurrence } from "../../../../src/features/flags/schedule/next-due.js"

const next = (start: string, recurrence: Recurrence, after: string, timezone = "Europe/Prague"): string =>
  new Date(findNextDue(Date.parse(start), recurrence, timezone, Date.parse(after))).toISOString()

describe("a recurring change is due next", () => {
  test("at the same time of the project's clock, also when that is set forward", () => {
    expect(next("2026-03-27T08:00:00Z", "daily", "2026-03-28T08:00:00Z")).toBe("2026-03-29T07:00:00.000Z")
    expect(next("2026-03-27T08:00:00Z", "weekly", "2026-03-27T08:00:00Z")).toBe("2026-04-03T07:00:00.000Z")
    expect(next("2026-03-27T08:00:00Z", "daily", "2026-03-28T08:00:00Z", "UTC")).toBe("2026-03-29T08:00:00.000Z")
  })

  test("on the last day of a month that is too short, and on its own day again afterwards", () => {
    expect(next("2026-01-31T10:15:30Z", "monthly", "2026-01-31T10:15:30Z")).toBe("2026-02-28T10:15:30.000Z")
    expect(next("2026-01-31T10:15:30Z", "monthly", "2026-02-28T10:15:30Z")).toBe("2026-03-31T09:15:30.000Z")
  })

  test("once, however many times were missed", () => {
    expect(next("2020-01-15T06:00:00Z", "daily", "2026-02-28T12:00:00Z")).toBe("2026-03-01T06:00:00.000Z")
    expect(next("2020-01-15T06:00:00Z", "monthly", "2026-02-28T12:00:00Z")).toBe("2026-03-15T06:00:00.000Z")
  })
})
