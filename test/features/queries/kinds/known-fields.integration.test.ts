import { afterAll, describe, expect, test } from "@jest/globals"
import { createQueryKinds } from "../../../../src/features/queries/kinds/kinds.js"
import { KNOWN_FIELDS } from "../../../../src/features/queries/kinds/known-fields.js"
import { QueryKindEnum } from "../../../../src/features/queries/typed/results/query-kind.graphql.js"
import { KindEngine, type KindQuery } from "./kind-engine.js"

const engine = new KindEngine()
afterAll(() => engine.close())

const series = [{ kind: "EventsNode", event: "view" }]
const steps = [...series, { kind: "EventsNode", event: "buy" }]
const trends = { kind: "TrendsQuery", series }

describe("a field that a query does not have", () => {
  test.each<[KindQuery, string]>([
    [{ ...trends, intervall: "week" }, "TrendsQuery.intervall is not known"],
    [{ ...trends, trendsFilter: { formulla: "A" } }, "TrendsQuery.trendsFilter.formulla is not known"],
    [{ ...trends, dateRange: { date_form: "-7d" } }, "TrendsQuery.dateRange.date_form is not known"],
    [
      { ...trends, series: [...series, { kind: "EventsNode", event: "x", maths: "dau" }] },
      "TrendsQuery.series[1].maths is not known",
    ],
    [
      { ...trends, breakdownFilter: { breakdowns: [{ property: "p", bins: 3 }] } },
      "TrendsQuery.breakdownFilter.breakdowns[0].bins is not known",
    ],
    [{ ...trends, breakdown: "plan" }, "TrendsQuery.breakdown is not known"],
    [
      { kind: "FunnelsQuery", series: steps, funnelsFilter: { exclusions: [{ kind: "EventsNode", from: 1 }] } },
      "FunnelsQuery.funnelsFilter.exclusions[0].from is not known",
    ],
    [{ kind: "PathsQuery", pathsFilter: { wildcard: "*" } }, "PathsQuery.pathsFilter.wildcard is not known"],
    [{ kind: "EventsQuery", select: ["*"], sort: ["event"] }, "EventsQuery.sort is not known"],
    [
      { kind: "ActorsQuery", source: { kind: "InsightActorsQuery", source: { ...trends, intervall: "day" } } },
      "ActorsQuery.source.source.intervall is not known",
    ],
    [{ kind: "WebOverviewQuery", properties: [], page: "/" }, "WebOverviewQuery.page is not known"],
  ])("is refused by its name: %j", async (query, reason) => {
    await expect(engine.run(query)).rejects.toThrow(reason)
  })

  test("may be null, which asks for nothing", async () => {
    expect((await engine.run({ ...trends, intervall: null })).error).toBe(null)
  })

  test("may say how a chart looks", async () => {
    const trendsFilter = { display: "ActionsBar", showLegend: true, yAxisScaleType: "log10", goalLines: [] }
    expect((await engine.run({ ...trends, trendsFilter, version: 2, tags: {} })).error).toBe(null)
  })
})

describe("an option without effect", () => {
  const web = { properties: [], dateRange: { date_from: "-7d" } }
  const pages = { ...web, kind: "WebStatsTableQuery", breakdownBy: "Page" }
  test.each<[KindQuery, string]>([
    [{ ...web, kind: "WebGoalsQuery", conversionGoal: { customEventName: "buy" } }, "conversionGoal"],
    [{ ...pages, includeRevenue: true }, "includeRevenue"],
    [{ ...pages, includeAvgTimeOnPage: true }, "includeAvgTimeOnPage"],
    [{ kind: "InsightActorsQuery", source: trends, includeRecordings: true }, "includeRecordings"],
    [{ ...trends, aggregation_group_type_index: 0 }, "aggregation_group_type_index"],
  ])("is refused by its name: %j", async (query, option) => {
    await expect(engine.run(query)).rejects.toThrow(`${option} is not supported`)
  })

  test("is a display that there are no numbers for", async () => {
    await expect(engine.run({ ...trends, trendsFilter: { display: "CalendarHeatmap" } })).rejects.toThrow(
      /trendsFilter.display must be one of: BoldNumber/,
    )
  })
})

test("every kind says which fields it has, and has a name in the graph", () => {
  const unused = { read: async () => engine.schema }
  const nothing = {
    select: async () => Promise.reject(new Error("nothing is read")),
    progress: async () => null,
    kill: async () => undefined,
  }
  const kinds = createQueryKinds(nothing, unused, { list: async () => ({ items: [], totalCount: 0 }) })
  // Recordings have a list of their own.
  const others = kinds.map(({ kind }) => kind).filter((kind) => kind !== "RecordingsQuery")
  expect(Object.keys(KNOWN_FIELDS).sort()).toEqual(others.sort())
  expect(Object.values(QueryKindEnum).sort()).toEqual(kinds.map(({ kind }) => kind).sort())
})
