import { describe, expect, test } from "@jest/globals"
import { parseDateText } from "../../../src/flag-engine/operators/absolute-date.js"
import { readRelativeDate, resolveRelativeDate } from "../../../src/flag-engine/operators/relative-date.js"
import { readCases } from "../flag-builders.js"

interface RelativeDateCase {
  readonly input: string
  readonly now: string
  readonly server: string | null
}

const file = readCases<{ cases: RelativeDateCase[]; server_only: RelativeDateCase[] }>("relative-dates")

const resolve = (input: string, now: string, timeZone = "UTC"): number | null => {
  const relative = readRelativeDate(input)
  return relative === null ? null : resolveRelativeDate(relative, Date.parse(now), timeZone)
}

describe("a relative date", () => {
  test.each([...file.cases, ...file.server_only])("$input before $now is $server", ({ input, now, server }) => {
    expect(resolve(input, now)).toBe(server === null ? null : Date.parse(server))
  })

  test.each([
    [
      "-2m",
      "2024-01-29T14:45:30.000Z",
      "2024-03-31T13:45:30Z",
      "31 March is cut to 29 February, and stays at 29 in January",
    ],
    ["1y", "2023-02-28T12:00:00.000Z", "2024-02-29T12:00:00Z", "29 February is cut to 28 in a year without"],
  ])("%s is %s before %s: %s", (input, moment, before) => {
    expect(new Date(resolve(input, before, "Europe/Berlin") as number).toISOString()).toBe(moment)
  })

  test.each(["+1d", "-1q", "-1s", "-1dStart", "-d", "10000d", "1.5d"])("cannot be %j", (input) => {
    expect(readRelativeDate(input)).toBeNull()
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

describe("a local date of a flag that its clock shows twice or leaves out", () => {
  test.each([
    ["Europe/Berlin", "2024-03-31 02:30:00", "2024-03-31T01:30:00.000Z"],
    ["Europe/Berlin", "2024-10-27 02:30:00", "2024-10-27T01:30:00.000Z"],
    ["Europe/London", "2024-10-27 01:30:00", "2024-10-27T01:30:00.000Z"],
    ["America/Los_Angeles", "2024-03-10 02:30:00", "2024-03-10T09:30:00.000Z"],
    ["America/Los_Angeles", "2024-11-03 01:30:00", "2024-11-03T08:30:00.000Z"],
    ["Atlantic/Azores", "2024-10-27 00:30:00", "2024-10-27T00:30:00.000Z"],
  ])("in %s: %s is %s", (zone, text, moment) => {
    expect(new Date(parseDateText(text, zone) as number).toISOString()).toBe(moment)
  })
})
