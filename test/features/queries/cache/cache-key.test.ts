import { describe, expect, test } from "@jest/globals"
import { toCacheKey } from "../../../../src/features/queries/cache/cache-key.js"
import type { ProjectSettings, QueryObject } from "../../../../src/features/queries/queries.types.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { Json } from "../../../../src/kernel/json.js"

const SETTINGS: ProjectSettings = { timezone: "Asia/Kathmandu", weekStartDay: 1 }
const QUERY: QueryObject = {
  kind: "TrendsQuery",
  series: [{ event: "Käufe", math: "dau" }, { event: "$pageview" }],
  dateRange: { date_from: "-7d", date_to: null },
}
const KEY = toCacheKey(asProjectId(7), QUERY, SETTINGS, 0)

describe("the key of a cached result", () => {
  test("is the same whatever the order of the query's keys", () => {
    const { series, dateRange, kind } = QUERY
    const reordered = { dateRange: { date_to: null, date_from: "-7d" }, series, kind } as QueryObject
    expect(dateRange).toEqual(reordered.dateRange)
    expect(toCacheKey(asProjectId(7), reordered, SETTINGS, 0)).toBe(KEY)
  })

  test("is another one in another project", () => {
    expect(toCacheKey(asProjectId(8), QUERY, SETTINGS, 0)).not.toBe(KEY)
  })

  test("is another one once answers have been given up", () => {
    expect(toCacheKey(asProjectId(7), QUERY, SETTINGS, 1)).not.toBe(KEY)
  })

  test.each([
    ["time zone", { ...SETTINGS, timezone: "UTC" }],
    ["start of the week", { ...SETTINGS, weekStartDay: 0 }],
  ] as const)("is another one with another %s", (_, settings) => {
    expect(toCacheKey(asProjectId(7), QUERY, settings, 0)).not.toBe(KEY)
  })

  test("is another one when items of a list change places", () => {
    const series: Json = [{ event: "$pageview" }, { event: "Käufe", math: "dau" }]
    expect(toCacheKey(asProjectId(7), { ...QUERY, series }, SETTINGS, 0)).not.toBe(KEY)
  })

  test("is another one with other test accounts, where the query leaves those out, and only there", () => {
    const settingsWith = (...filters: Json[]) => ({ ...SETTINGS, settings: { test_account_filters: filters } })
    const inside: Json = { type: "person", key: "email", operator: "not_icontains", value: "@inside.test" }
    const keyOf = (query: QueryObject, ...filters: Json[]) =>
      toCacheKey(asProjectId(7), query, settingsWith(...filters), 0)
    const real: QueryObject = { kind: "HogQLQuery", query: "select 1", filters: { filterTestAccounts: true } }
    expect(keyOf(QUERY, inside)).toBe(keyOf(QUERY))
    expect(keyOf(real, inside)).not.toBe(keyOf(real))
  })

  test("is another one with other rules for paths, or in another order", () => {
    const keyOf = (...pathCleaning: { regex: string; alias: string }[]) =>
      toCacheKey(asProjectId(7), QUERY, { ...SETTINGS, pathCleaning }, 0)
    const [digits, letters] = [
      { regex: "\\d+", alias: "<id>" },
      { regex: "[a-z]+", alias: "<name>" },
    ]
    const keys = [keyOf(), keyOf(digits), keyOf(digits, letters), keyOf(letters, digits)]
    expect(new Set(keys).size).toBe(4)
  })
})
