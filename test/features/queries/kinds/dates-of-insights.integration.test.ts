import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { KindEngine, type Line, type Listed, uuidOf } from "./kind-engine.js"

const engine = new KindEngine()
/** A Friday. */
const NOW = Date.parse("2024-03-15T12:30:00Z")

beforeAll(() => {
  const person = { project_id: 1, properties: "{}", version: 1 }
  engine.insert("persons", [
    { ...person, id: uuidOf("a"), created_at: "2024-02-20T12:00:00Z" },
    { ...person, id: uuidOf("b"), created_at: "2024-03-03T12:00:00Z" },
  ])
  engine.capture(
    [
      "2024-02-20T12:00:00Z",
      "2024-03-03T12:00:00Z",
      "2024-03-04T12:00:00Z",
      "2024-03-05T12:00:00Z",
      "2024-03-06T09:00:00Z",
      "2024-03-06T18:00:00Z",
      "2024-03-14T11:30:00Z",
      "2024-03-14T12:10:00Z",
      "2024-03-15T12:00:00Z",
      "2024-03-31T12:00:00Z",
    ].map((at, index) => ({ event: "view", actor: index % 2 === 0 ? "a" : "b", at })),
  )
})
afterAll(() => engine.close())

const SERIES = [{ kind: "EventsNode", event: "view" }]
const points = async (kind: string, dateRange: object, interval: string, weekStartDay = 0) => {
  const query = { kind, series: SERIES, dateRange: { ...dateRange }, interval }
  const { results } = await engine.run<Listed<Line>>(query, { nowMs: NOW, weekStartDay })
  return results.map(({ days, data }) => days.map((day, index) => [day, data[index]] as const))
}
const trend = async (dateRange: object, interval: string, weekStartDay = 0) =>
  (await points("TrendsQuery", dateRange, interval, weekStartDay))[0]

describe("the dates of an insight", () => {
  test("hold the whole day of a date_to with a time", async () => {
    const dates = { date_from: "2024-03-05", date_to: "2024-03-06 10:00:00" }
    expect(await trend(dates, "day")).toEqual([
      ["2024-03-05", 1],
      ["2024-03-06", 2],
    ])
  })

  test("end at that time when they are explicit", async () => {
    const dates = { date_from: "2024-03-05", date_to: "2024-03-06 10:00:00", explicitDate: true }
    expect(await trend(dates, "day")).toEqual([
      ["2024-03-05", 1],
      ["2024-03-06", 1],
    ])
  })

  test("end at that time when hours are shown", async () => {
    const shown = await trend({ date_from: "2024-03-06 08:00:00", date_to: "2024-03-06 10:00:00" }, "hour")
    expect(shown).toEqual([
      ["2024-03-06 08:00:00", 0],
      ["2024-03-06 09:00:00", 1],
      ["2024-03-06 10:00:00", 0],
    ])
  })

  test("are read without leading zeros", async () => {
    expect(await trend({ date_from: "2024-3-5", date_to: "2024-3-5" }, "day")).toEqual([["2024-03-05", 1]])
  })

  test("of the last 24 hours by day begin with the hour that is 24 hours ago", async () => {
    expect(await trend({ date_from: "-24h" }, "day")).toEqual([
      ["2024-03-14", 1],
      ["2024-03-15", 1],
    ])
  })

  test.each([
    [0, "2024-03-03"],
    [1, "2024-03-04"],
  ])("by week count from the day that is named, under the first day of its week (%i: %s)", async (first, day) => {
    const shown = await trend({ date_from: "2024-03-05", date_to: "2024-03-18" }, "week", first)
    expect(shown?.[0]).toEqual([day, 3])
    expect(shown?.map(([, count]) => count)).toEqual([3, 3, 0])
  })

  test("by month begin with the month", async () => {
    expect(await trend({ date_from: "2024-03-05", date_to: "2024-03-06" }, "month")).toEqual([["2024-03-01", 5]])
  })
})

describe("a lifecycle", () => {
  test("looks at the whole of its last month", async () => {
    const [fresh, returning] = await points(
      "LifecycleQuery",
      { date_from: "2024-02-10", date_to: "2024-03-04" },
      "month",
    )
    expect(fresh).toEqual([
      ["2024-02-01", 1],
      ["2024-03-01", 1],
    ])
    expect(returning).toEqual([
      ["2024-02-01", 0],
      ["2024-03-01", 1],
    ])
  })

  test("has weeks that begin on Monday, whatever the project says", async () => {
    const [fresh] = await points("LifecycleQuery", { date_from: "2024-03-03", date_to: "2024-03-05" }, "week")
    expect(fresh?.map(([day]) => day)).toEqual(["2024-02-26", "2024-03-04"])
  })
})
