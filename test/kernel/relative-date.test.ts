import { describe, expect, test } from "@jest/globals"
import { addMonths, type MonthPolicy, moveTime, parseRelativeDate } from "../../src/kernel/relative-date.js"

const EVERYTHING = { units: "sMhdwmqy", hasPlus: true, hasEdges: true }

describe("a relative date", () => {
  test.each([
    ["-7d", { sign: "-", count: 7, unit: "d", edge: null }],
    ["7d", { sign: "", count: 7, unit: "d", edge: null }],
    ["+3M", { sign: "+", count: 3, unit: "M", edge: null }],
    ["mStart", { sign: "", count: null, unit: "m", edge: "Start" }],
    ["-1qEnd", { sign: "-", count: 1, unit: "q", edge: "End" }],
    ["d", { sign: "", count: null, unit: "d", edge: null }],
  ])("%s is read", (text, date) => {
    expect(parseRelativeDate(text, EVERYTHING)).toEqual(date)
  })

  test.each([
    ["-1q", { units: "hdwmy" }],
    ["+1d", { units: "d" }],
    ["dStart", { units: "d", hasPlus: true }],
    ["d", { units: "d" }],
    ["-12345d", { units: "d", maxDigits: 4 }],
    ["-d", EVERYTHING],
    ["1.5d", EVERYTHING],
    ["-1D", EVERYTHING],
  ])("%s is none where it is not understood", (text, form) => {
    expect(parseRelativeDate(text, form)).toBeNull()
  })

  test.each<[string, string, MonthPolicy, string]>([
    ["2024-03-31T12:00Z", "-2m", "clamp", "2024-01-31T12:00Z"],
    ["2024-03-31T12:00Z", "-2m", "clamp-each-step", "2024-01-29T12:00Z"],
    ["2024-03-31T12:00Z", "-2m", "mean-length", "2024-01-30T16:00Z"],
    ["2024-02-29T12:00Z", "-1y", "clamp", "2023-02-28T12:00Z"],
    ["2024-02-29T12:00Z", "-4y", "clamp", "2020-02-29T12:00Z"],
    ["2024-02-29T12:00Z", "-4y", "clamp-each-step", "2020-02-28T12:00Z"],
    ["2024-02-29T12:00Z", "-1y", "mean-length", "2023-03-01T06:00Z"],
    ["2024-05-31T12:00Z", "+1q", "clamp", "2024-08-31T12:00Z"],
    ["2024-03-31T12:00Z", "-1w", "clamp", "2024-03-24T12:00Z"],
    ["2024-03-31T12:00Z", "+90s", "clamp", "2024-03-31T12:01:30Z"],
  ])("of %s moved by %s (%s: %s)", (from, text, policy, to) => {
    const date = parseRelativeDate(text, EVERYTHING)
    expect(date && moveTime(Date.parse(from), date, policy)).toBe(Date.parse(to))
  })
})

describe("months", () => {
  test("of the first century are those of that century", () => {
    expect(new Date(addMonths(Date.parse("0050-03-31T00:00:00Z"), -1)).toISOString()).toBe("0050-02-28T00:00:00.000Z")
  })

  test("beyond what a date can hold are not a number", () => {
    expect(addMonths(0, 10_000_000)).toBeNaN()
  })
})
