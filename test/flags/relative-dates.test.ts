import { describe, expect, test } from "@jest/globals"
import { parseDateText } from "../../src/flag-engine/operators/absolute-date.js"
import { parseRelativeDate, resolveRelativeDate } from "../../src/flag-engine/operators/relative-date.js"
import { readCases } from "./flag-builders.js"

interface RelativeDateCase {
  readonly input: string
  readonly now: string
  readonly server: string | null
}

const file = readCases<{ cases: RelativeDateCase[]; server_only: RelativeDateCase[] }>("relative-dates")

const resolve = (input: string, now: string, timeZone = "UTC"): number | null => {
  const relative = parseRelativeDate(input)
  return relative === null ? null : resolveRelativeDate(relative, Date.parse(now), timeZone)
}

describe("a relative date", () => {
  test.each([...file.cases, ...file.server_only])("$input before $now is $server", ({ input, now, server }) => {
    expect(resolve(input, now)).toBe(server === null ? null : Date.parse(server))
  })

  test("steps months on the calendar of the project's zone, across a change of daylight saving", () => {
    expect(resolve("1m", "2024-04-01T02:30:00Z", "America/Los_Angeles")).toBe(Date.parse("2024-03-01T03:30:00Z"))
  })
})

describe("a date of the first century, which some write for never", () => {
  const dayMs = 86_400_000

  test.each(["America/Los_Angeles", "Asia/Kathmandu", "Pacific/Apia"])("is that date in %s too", (zone) => {
    for (const text of ["0001-01-01", "0099-12-31 23:59:59"]) {
      const inUtc = parseDateText(text, "UTC") as number
      expect(Math.abs((parseDateText(text, zone) as number) - inUtc)).toBeLessThan(dayMs)
    }
    const inUtc = resolve("1980y", "2024-04-01T02:30:00Z") as number
    expect(Math.abs((resolve("1980y", "2024-04-01T02:30:00Z", zone) as number) - inUtc)).toBeLessThan(dayMs)
  })
})
