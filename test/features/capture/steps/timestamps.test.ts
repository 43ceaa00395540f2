import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { runSteps } from "../../../../src/features/capture/steps/index.js"
import {
  isIsoTime,
  isZonedTime,
  parseTime,
  readCanonicalTime,
} from "../../../../src/features/capture/steps/parse-time.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { captureCases, type TimestampCase } from "../cases/case-files.js"
import { NOW_MS } from "../cases/in-memory-driver.js"

const iso = (value: unknown): string | null => {
  const timeMs = parseTime(value)
  return timeMs === null ? null : new Date(timeMs).toISOString()
}

describe("a time that is written as ours are", () => {
  test("is read the short way to what the long way reads, and is its own text", () => {
    const digits = (count: number, max: number) =>
      fc.integer({ min: 0, max }).map((number) => String(number).padStart(count, "0"))
    const written = fc
      .tuple(digits(4, 9999), digits(2, 13), digits(2, 32), digits(2, 25), digits(2, 61), digits(2, 61), digits(3, 999))
      .map(
        ([year, month, day, hour, minute, second, ms]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`,
      )
    fc.assert(
      fc.property(written, (text) => {
        // A space more is read the long way.
        const longWay = parseTime(`${text} `)
        expect(parseTime(text)).toBe(longWay)
        if (readCanonicalTime(text) !== null) expect(iso(text)).toBe(text)
      }),
      { numRuns: 5_000 },
    )
  })

  test("is not taken for one of the day that was read before when one of its characters is another", () => {
    const character = fc.constantFrom(
      ..."0123456789",
      "-",
      ":",
      ".",
      "T",
      "Z",
      " ",
      "/",
      "t",
      "z",
      "+",
      "\u0660",
      "\uff11",
    )
    const time = fc.date({
      min: new Date(Date.UTC(1000, 0, 1)),
      max: new Date(Date.UTC(9999, 11, 31)),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(time, fc.nat({ max: 23 }), character, (before, at, written) => {
        const text = before.toISOString()
        expect(readCanonicalTime(text)).toBe(before.getTime())
        const damaged = text.slice(0, at) + written + text.slice(at + 1)
        const readMs = readCanonicalTime(damaged)
        if (readMs !== null) expect(new Date(readMs).toISOString()).toBe(damaged)
        else expect(damaged).not.toBe(text)
        expect(readCanonicalTime(text)).toBe(before.getTime())
      }),
      { numRuns: 5_000 },
    )
  })
})

describe("a time is read", () => {
  test.each([
    ["2024-01-02T03:04:05.678Z", "2024-01-02T03:04:05.678Z"],
    ["2024-01-02T03:04:05.123456+00:00", "2024-01-02T03:04:05.123Z"],
    ["2024-01-02T03:04:05+03", "2024-01-02T00:04:05.000Z"],
    ["2024-01-02T03:04:05-0530", "2024-01-02T08:34:05.000Z"],
    ["2024-01-02T03:04:05", "2024-01-02T03:04:05.000Z"],
    ["2024-03-10T02:30:00", "2024-03-10T02:30:00.000Z"],
    ["2024-01-02 03:04", "2024-01-02T03:04:00.000Z"],
    ["2024/01/02 03:04:05", "2024-01-02T03:04:05.000Z"],
    ["2024-01-02", "2024-01-02T00:00:00.000Z"],
    ["Tue, 02 Jan 2024 03:04:05 GMT", "2024-01-02T03:04:05.000Z"],
    ["Tue, 02 Jan 2024 03:04:05 UT", "2024-01-02T03:04:05.000Z"],
    ["2 Jan 2024 03:04:05 EST", "2024-01-02T08:04:05.000Z"],
    ["2 Jan 2024 03:04:05 PDT", "2024-01-02T10:04:05.000Z"],
    ["2 Jan 2024 03:04:05 +0100", "2024-01-02T02:04:05.000Z"],
    ["1704164645", "2024-01-02T03:04:05.000Z"],
    ["1704164645678", "2024-01-02T03:04:05.678Z"],
    [1704164645.5, "2024-01-02T03:04:05.500Z"],
    [1704164645678, "2024-01-02T03:04:05.678Z"],
    ["2024-06-30T23:59:60Z", "2024-07-01T00:00:00.000Z"],
    ["0050-01-01T00:00:00Z", "0050-01-01T00:00:00.000Z"],
    ["2000-02-29", "2000-02-29T00:00:00.000Z"],
  ])("from %j", (written, expected) => {
    expect(iso(written)).toBe(expected)
  })

  test.each([
    "2024-02-30",
    "2023-02-29",
    "2024-13-45T25:61:61Z",
    "2024-001",
    "yesterday",
    "2024-01-01T00:00:00−1:00",
    "2024-01-01T00:00:00+99:00",
    "",
    "12",
    null,
    {},
    Number.POSITIVE_INFINITY,
  ])("not from %j", (written) => {
    expect(parseTime(written)).toBeNull()
  })

  test("is told apart as ISO and as zoned", () => {
    expect([isIsoTime("2024-01-02T03:04:05"), isIsoTime("1704164645")]).toEqual([true, false])
    expect([isZonedTime("2024-01-02T03:04:05"), isZonedTime("2024-01-02T03:04:05+01:00")]).toEqual([false, true])
  })
})

interface Told {
  readonly sentAtMs?: number | null
  readonly historicalMigration?: boolean
  readonly nowMs?: number
}

function resolve(item: JsonObject, { sentAtMs = null, historicalMigration = false, nowMs = NOW_MS }: Told = {}) {
  const context = { receivedAtMs: nowMs, sentAtMs, historicalMigration, defaultEventName: null, newUuid: () => "" }
  const result = runSteps({ event: "e", distinct_id: "u", ...item }, context)
  if (result.kept === null) throw new Error(result.reason)
  const { timestamp, clientTimestamp } = result.kept
  return { timestamp, clientTimestamp, warnings: result.warnings }
}

const at = (offsetMs: number): string => new Date(NOW_MS + offsetMs).toISOString()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe("the time of an event", () => {
  const cases = captureCases().filter((one): one is TimestampCase => (one as TimestampCase).area === "timestamp")
  test.each(cases.map((one) => [one.id, one.title, one] as const))(
    "%s: %s",
    (_id, _title, { given, expect: wanted, recommended }) => {
      const item: JsonObject = { properties: given.ignore_sent_at ? { $ignore_sent_at: true } : {} }
      if (given.timestamp !== undefined) item.timestamp = given.timestamp
      if (given.offset_ms !== undefined) item.offset = given.offset_ms
      const told = {
        nowMs: Date.parse(given.now),
        sentAtMs: given.sent_at === undefined ? null : Date.parse(given.sent_at),
      }
      expect(Date.parse(resolve(item, told).timestamp)).toBe(Date.parse((recommended ?? wanted).timestamp))
    },
  )

  test("is corrected by the client's clock error when that is more than a minute", () => {
    const timestamp = at(-HOUR_MS)
    expect(resolve({ timestamp }, { sentAtMs: NOW_MS + 2 * MINUTE_MS }).timestamp).toBe(at(-HOUR_MS - 2 * MINUTE_MS))
    expect(resolve({ timestamp }, { sentAtMs: NOW_MS - MINUTE_MS }).timestamp).toBe(timestamp)
  })

  test("keeps beside it what the client wrote", () => {
    const timestamp = at(-HOUR_MS)
    expect(resolve({ timestamp }, { sentAtMs: NOW_MS - HOUR_MS }).clientTimestamp).toBe(timestamp)
    expect(resolve({}).clientTimestamp).toBeNull()
  })

  test("is arrival, with a warning, when what the client wrote is no time", () => {
    expect(resolve({ timestamp: "yesterday" })).toEqual({
      timestamp: at(0),
      clientTimestamp: null,
      warnings: ["ignored_invalid_timestamp"],
    })
  })

  test("is arrival, without a warning, when the client wrote null or nothing", () => {
    expect(resolve({ timestamp: null })).toEqual({ timestamp: at(0), clientTimestamp: null, warnings: [] })
  })

  test("is arrival when it lies more than 23 hours ahead", () => {
    expect(resolve({ timestamp: at(23 * HOUR_MS) })).toMatchObject({ timestamp: at(23 * HOUR_MS), warnings: [] })
    expect(resolve({ timestamp: at(23 * HOUR_MS + 1) })).toMatchObject({
      timestamp: at(0),
      warnings: ["timestamp_in_future"],
    })
    expect(resolve({ timestamp: "9999-01-01" })).toMatchObject({ timestamp: at(0), clientTimestamp: null })
  })

  test("is 1970 when it lies before any year that the store holds", () => {
    expect(resolve({ timestamp: "1899-12-31T00:00:00Z" })).toEqual({
      timestamp: "1970-01-01T00:00:00.000Z",
      clientTimestamp: null,
      warnings: ["timestamp_out_of_range"],
    })
    expect(resolve({ offset: Number.MAX_SAFE_INTEGER }).timestamp).toBe("1970-01-01T00:00:00.000Z")
  })

  test("in a historical migration is arrival, with a warning, when there is no ISO 8601 time", () => {
    const warnings = ["historical_without_timestamp"]
    expect(resolve({}, { historicalMigration: true })).toMatchObject({ timestamp: at(0), warnings })
    expect(resolve({ timestamp: 1704164645 }, { historicalMigration: true }).warnings).toEqual(warnings)
    expect(resolve({ timestamp: "2020-01-01" }, { historicalMigration: true }).warnings).toEqual([])
  })
})
