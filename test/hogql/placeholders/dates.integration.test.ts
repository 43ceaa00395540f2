import { describe, expect, test } from "@jest/globals"
import { compile } from "../../../src/hogql/index.js"
import { emptyScope } from "../support/scope.js"

const scope = { ...emptyScope, nowMs: Date.parse("2024-03-31T15:45:30Z") }

/** What a bound of `{filters}` is compared with, in HogQL. */
async function bound(date_from: string): Promise<string> {
  const filters = { dateRange: { date_from } }
  const { hogql } = await compile({ text: "select 1 from events where {filters}", filters }, scope)
  return hogql
    .replace("SELECT 1 FROM events WHERE ", "")
    .replace("and(greaterOrEquals(events.timestamp, ", "")
    .slice(0, -2)
}

async function moment(value: string): Promise<string> {
  const filters = { properties: [{ key: "born", operator: "is_date_after", value }] }
  const { hogql } = await compile({ text: "select 1 from events where {filters}", filters }, scope)
  return hogql.replace("SELECT 1 FROM events WHERE and(greater(toDateTime(events.properties.born), ", "").slice(0, -2)
}

describe("a date of {filters}", () => {
  test.each([
    ["-7d", "toStartOfDay(minus(now(), toIntervalDay(7)))"],
    ["7d", "toStartOfDay(minus(now(), toIntervalDay(7)))"],
    ["+2d", "toStartOfDay(plus(now(), toIntervalDay(2)))"],
    ["-0d", "toStartOfDay(now())"],
    ["-3h", "minus(now(), toIntervalHour(3))"],
    ["-5M", "minus(now(), toIntervalMinute(5))"],
    ["-5s", "minus(now(), toIntervalSecond(5))"],
    ["-1m", "toStartOfDay(minus(now(), toIntervalMonth(1)))"],
    ["-1q", "toStartOfDay(minus(now(), toIntervalQuarter(1)))"],
    ["dStart", "toDateTime(toStartOfDay(now()))"],
    ["mEnd", "toDateTime(toStartOfMonth(plus(now(), toIntervalMonth(1))))"],
    ["-1mStart", "toDateTime(toStartOfMonth(minus(now(), toIntervalMonth(1))))"],
    ["-1wEnd", "toDateTime(toStartOfWeek(plus(minus(now(), toIntervalWeek(1)), toIntervalWeek(1))))"],
    ["1dStart", "toStartOfDay(minus(now(), toIntervalDay(1)))"],
    ["-1hStart", "minus(now(), toIntervalHour(1))"],
    ["-60y", "toDateTime('1900-01-01')"],
    ["+200y", "toDateTime('2299-01-01')"],
    ["-99999999d", "toDateTime('1900-01-01')"],
    ["2024-03-10", "toDateTime('2024-03-10')"],
    ["2024-03-10 10:00", "toDateTime('2024-03-10 10:00')"],
  ])("%s is %s", async (text, expression) => {
    expect(await bound(text)).toBe(expression)
  })

  test.each(["-d", "d", "hStart", "soon", "-1x", "2024-02-30"])("cannot be %j", async (text) => {
    await expect(bound(text)).rejects.toThrow(`Cannot read the date '${text}'.`)
  })
})

describe("a date of a property filter", () => {
  test.each([
    ["-7d", "minus(now(), toIntervalDay(7))"],
    ["7d", "minus(now(), toIntervalDay(7))"],
    ["6h", "minus(now(), toIntervalHour(6))"],
    ["2w", "minus(now(), toIntervalWeek(2))"],
    ["-1m", "minus(now(), toIntervalMonth(1))"],
    ["-9999y", "minus(now(), toIntervalYear(9999))"],
    ["-10000y", "toDateTime('-10000y')"],
    ["+1d", "toDateTime('+1d')"],
    ["-1q", "toDateTime('-1q')"],
    ["-1dStart", "toDateTime('-1dStart')"],
    ["2024-03-10", "toDateTime('2024-03-10')"],
  ])("%s is %s", async (text, expression) => {
    expect(await moment(text)).toBe(expression)
  })
})
