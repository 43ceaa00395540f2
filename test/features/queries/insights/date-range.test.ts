import { describe, expect, test } from "@jest/globals"
import { previousRange, readInstant, toDateRange } from "../../../../src/features/queries/insights/date-range.js"

const BERLIN = { timezone: "Europe/Berlin", weekStartDay: 1 }
/** A Sunday, 17:45:30 in Berlin. */
const now = { ...BERLIN, nowMs: Date.parse("2024-03-31T15:45:30.250Z") }
const iso = (ms: number) => new Date(ms).toISOString()
const read = (text: string, calendar = now) => iso(readInstant(text, calendar))

describe("a date of a query", () => {
  test.each([
    ["-3h", "2024-03-31T12:45:30.250Z"],
    ["-30M", "2024-03-31T15:15:30.250Z"],
    ["-10s", "2024-03-31T15:45:20.250Z"],
    ["-0d", "2024-03-30T23:00:00.000Z"],
    ["d", "2024-03-30T23:00:00.000Z"],
    ["-7d", "2024-03-23T23:00:00.000Z"],
    ["7d", "2024-03-23T23:00:00.000Z"],
    ["+1d", "2024-03-31T22:00:00.000Z"],
    ["-2w", "2024-03-16T23:00:00.000Z"],
    ["-1q", "2023-12-30T23:00:00.000Z"],
    ["-1y", "2023-03-30T22:00:00.000Z"],
    ["hStart", "2024-03-31T15:00:00.000Z"],
    ["dStart", "2024-03-30T23:00:00.000Z"],
    ["dEnd", "2024-03-31T21:59:59.999Z"],
    ["wStart", "2024-03-24T23:00:00.000Z"],
    ["mStart", "2024-02-29T23:00:00.000Z"],
    ["-1mStart", "2024-01-31T23:00:00.000Z"],
    ["-1mEnd", "2024-02-29T22:59:59.999Z"],
    ["qStart", "2023-12-31T23:00:00.000Z"],
    ["-1yEnd", "2023-12-31T22:59:59.999Z"],
    ["2024-03-15", "2024-03-14T23:00:00.000Z"],
    ["2024-3-5", "2024-03-04T23:00:00.000Z"],
    ["2024-3-15 10:30", "2024-03-15T09:30:00.000Z"],
    ["2024-03-15 10:30", "2024-03-15T09:30:00.000Z"],
    ["2024-03-15T10:30:00.5Z", "2024-03-15T10:30:00.500Z"],
    ["2024-03-15T10:30:00+0200", "2024-03-15T08:30:00.000Z"],
    ["-999999y", "1899-12-31T23:00:00.000Z"],
    ["+999999y", "2298-12-31T23:00:00.000Z"],
  ])("%s is the moment %s", (text, moment) => {
    expect(read(text)).toBe(moment)
  })

  test.each([
    ["-1m", "2024-02-28T23:00:00.000Z", "31 March less a month is 29 February"],
    ["-2m", "2024-01-30T23:00:00.000Z", "31 March less two months is 31 January: the day is cut once"],
  ])("%s is %s, as %s", (text, moment) => {
    expect(read(text)).toBe(moment)
  })

  test.each([
    ["2024-03-31 02:30", "2024-03-31T01:30:00.000Z", "a time that the clock leaves out is read by the offset before"],
    ["2024-10-27 02:30", "2024-10-27T00:30:00.000Z", "of a time that the clock shows twice the first one is meant"],
  ])("%s is %s, as %s", (text, moment) => {
    expect(read(text)).toBe(moment)
  })

  test.each([
    ["2024-03-10 02:30", "2024-03-10T10:30:00.000Z"],
    ["2024-11-03 01:30", "2024-11-03T08:30:00.000Z"],
  ])("%s is read alike west of Greenwich: %s", (text, moment) => {
    expect(read(text, { ...now, timezone: "America/Los_Angeles" })).toBe(moment)
  })

  test.each([
    "",
    "soon",
    "-d",
    "-1x",
    "--1d",
    "1.5d",
    "-1234567d",
    "MStart",
    "sEnd",
    "2024-02-30",
    "2024-13-01",
    "-7dstart",
  ])("cannot be %j", (text) => {
    expect(() => read(text)).toThrow(/dateRange cannot hold/)
  })
})

describe("the range of a query", () => {
  test.each([
    [null, null, "2024-03-23T23:00:00.000Z", "2024-03-31T22:00:00.000Z"],
    ["-1mStart", "-1mEnd", "2024-01-31T23:00:00.000Z", "2024-02-29T23:00:00.000Z"],
    ["2024-03-30", "2024-03-31", "2024-03-29T23:00:00.000Z", "2024-03-31T22:00:00.000Z"],
    ["2024-03-30 10:00", "2024-03-31 10:00", "2024-03-30T09:00:00.000Z", "2024-03-31T22:00:00.000Z"],
    ["-24h", "-1h", "2024-03-30T16:00:00.000Z", "2024-03-31T22:00:00.000Z"],
  ])("from %s to %s holds the last day whole", (from, to, fromIso, toIso) => {
    const { fromMs, toMs } = toDateRange({ from, to }, "day", now)
    expect([iso(fromMs), iso(toMs)]).toEqual([fromIso, toIso])
  })

  test("ends at the time that is written when that is explicit, or when hours are shown", () => {
    const written = { from: "2024-03-30", to: "2024-03-31 10:00" }
    const end = iso(Date.parse("2024-03-31T08:00:00Z") + 1)
    expect(iso(toDateRange({ ...written, isExplicit: true }, "day", now).toMs)).toBe(end)
    expect(iso(toDateRange(written, "hour", now).toMs)).toBe(end)
  })

  test.each([
    ["hour", "2024-03-31T15:00:00.000Z"],
    ["minute", "2024-03-31T14:46:00.000Z"],
  ] as const)("ends with the whole %s that a distance leads to", (interval, endIso) => {
    expect(iso(toDateRange({ from: "-24h", to: "-1h" }, interval, now).toMs)).toBe(endIso)
  })

  test("before it is as long in days of the clock, or a distance back", () => {
    const range = toDateRange({ from: "2024-03-30", to: "2024-03-31" }, "day", now)
    const show = (compareTo: string | null) => {
      const { fromMs, toMs } = previousRange(range, compareTo, now)
      return [iso(fromMs), iso(toMs)]
    }
    expect(show(null)).toEqual(["2024-03-27T23:00:00.000Z", "2024-03-29T23:00:00.000Z"])
    expect(show("-1m")).toEqual(["2024-02-28T23:00:00.000Z", "2024-02-29T23:00:00.000Z"])
    expect(() => show("soon")).toThrow(/dateRange cannot hold/)
  })
})
