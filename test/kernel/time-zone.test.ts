import { describe, expect, test } from "@jest/globals"
import { offsetAt, toInstantMs } from "../../src/kernel/time-zone.js"

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Santiago",
  "Africa/Casablanca",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
]

const formats = new Map(
  [...ZONES, "Europe/Dublin"].map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }),
  ]),
)

/** What the platform writes as "GMT+05:45", in milliseconds; older offsets have seconds. */
function platformOffset(instantMs: number, zone: string): number {
  const parts = formats.get(zone)?.formatToParts(instantMs) ?? []
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? ""
  const [, sign = "+", hours = "0", minutes = "0", seconds = "0"] =
    /^GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(name) ?? []
  return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1000)
}

describe("The offset of a zone", () => {
  test.each(ZONES)("is what the platform says, every seven hours of two years, asked twice: %s", (zone) => {
    for (const startMs of [Date.UTC(2011, 6, 1), Date.UTC(2024, 0, 1)])
      for (let round = 0; round < 2; round++)
        for (let instantMs = startMs; instantMs < startMs + 366 * 24 * HOUR_MS; instantMs += 7 * HOUR_MS)
          if (offsetAt(instantMs, zone) !== platformOffset(instantMs, zone))
            throw new Error(`${zone} at ${new Date(instantMs).toISOString()}: ${offsetAt(instantMs, zone)}`)
  })

  test.each([
    ["Europe/Berlin", "2024-03-31T01:00:00Z"],
    ["Europe/Berlin", "2024-10-27T01:00:00Z"],
    ["America/New_York", "2024-11-03T06:00:00Z"],
    ["Australia/Lord_Howe", "2024-04-06T15:00:00Z"],
    ["Pacific/Apia", "2011-12-30T10:00:00Z"],
    ["Europe/Dublin", "1916-05-21T02:25:21Z"],
  ])("changes in the very millisecond in which the clocks of %s are set: %s", (zone, text) => {
    const setMs = Date.parse(text)
    expect(offsetAt(setMs, zone)).toBe(platformOffset(setMs, zone))
    expect(offsetAt(setMs - 1, zone)).toBe(platformOffset(setMs - 1, zone))
    expect(offsetAt(setMs, zone)).not.toBe(offsetAt(setMs - 1, zone))
  })

  test("gives the first of two equal times of a clock set back, and the jump over one that it leaves out", () => {
    expect(toInstantMs(Date.UTC(2024, 9, 27, 2, 30), "Europe/Berlin")).toBe(Date.parse("2024-10-27T00:30:00Z"))
    expect(toInstantMs(Date.UTC(2024, 2, 31, 2, 30), "Europe/Berlin")).toBe(Date.parse("2024-03-31T01:30:00Z"))
  })

  test.each([
    ["Europe/Berlin", "2024-10-27T02:30Z", "2024-10-27T00:30Z", "2024-10-27T01:30Z"],
    ["Europe/Berlin", "2024-03-31T02:30Z", "2024-03-31T01:30Z", "2024-03-31T01:30Z"],
    ["America/Los_Angeles", "2024-11-03T01:30Z", "2024-11-03T08:30Z", "2024-11-03T08:30Z"],
    ["America/Los_Angeles", "2024-03-10T02:30Z", "2024-03-10T10:30Z", "2024-03-10T09:30Z"],
    ["Australia/Lord_Howe", "2024-04-07T01:45Z", "2024-04-06T14:45Z", "2024-04-06T15:15Z"],
    ["Asia/Kathmandu", "2024-04-07T01:45Z", "2024-04-06T20:00Z", "2024-04-06T20:00Z"],
  ])("%s at %s is %s, and by two guesses %s", (zone, wall, compatible, guessed) => {
    expect(toInstantMs(Date.parse(wall), zone, "compatible")).toBe(Date.parse(compatible))
    expect(toInstantMs(Date.parse(wall), zone, "two-guesses")).toBe(Date.parse(guessed))
  })
})
