import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { QueryCaseServer } from "../kinds/query-case-server.js"
import { DATES, TYPED_DATASET } from "./typed-dataset.js"

const server = new QueryCaseServer()
beforeAll(() => server.start(TYPED_DATASET), 120_000)
afterAll(() => server.stop())

/** What a query gives, with the fields of one result type. */
async function ask<Result>(input: object, type: string, fields: string): Promise<Result> {
  const operation = `query ($input: QueryInput!) { query(input: $input) { __typename ... on ${type} { ${fields} } } }`
  const { query } = await server.api.graphql<{ query: Result & { __typename: string } }>(operation, { input })
  expect(query.__typename).toBe(type)
  return query
}

const views = { event: "$pageview" }

describe("a trend", () => {
  test("has lines with points, by value of a breakdown, null for none", async () => {
    const trends = { series: [views], dates: DATES, breakdown: { properties: [{ key: "$browser" }] } }
    const { series } = await ask<{ series: unknown[] }>(
      { trends },
      "TrendsResult",
      "series { label breakdown isOther total points { day value } series { event math } }",
    )
    const of = (label: string, breakdown: string | null, values: number[]) => ({
      label,
      breakdown: [breakdown],
      isOther: false,
      total: values.reduce((sum, value) => sum + value, 0),
      points: values.map((value, index) => ({ day: `2024-03-0${4 + index}`, value })),
      series: { event: "$pageview", math: "TOTAL" },
    })
    expect(series).toEqual([
      of("Chrome", "Chrome", [1, 0, 1]),
      of("Firefox", "Firefox", [2, 0, 0]),
      of("None (i.e. no value)", null, [0, 1, 0]),
    ])
  })

  test("calculates formulas of filtered series, and compares with the time before", async () => {
    const trends = {
      series: [
        { ...views, math: "UNIQUE_ACTORS", properties: [{ any: [{ event: { key: "$browser", value: "Firefox" } }] }] },
        { ...views, math: "UNIQUE_ACTORS" },
      ],
      dates: { from: "2024-03-04", to: "2024-03-04" },
      view: "TOTAL",
      compare: {},
      formulas: [{ formula: "A / B * 100", name: "Anteil" }],
    }
    const { series } = await ask<{ series: unknown[] }>(
      { trends },
      "TrendsResult",
      "series { label period total series { name } }",
    )
    expect(series).toEqual([
      { label: "Anteil", period: "CURRENT", total: 50, series: null },
      { label: "Anteil", period: "PREVIOUS", total: 0, series: null },
    ])
  })

  test("filters by the person, a cohort's absence and HogQL", async () => {
    const filtered = (...properties: object[]) => ({
      trends: { series: [views], dates: DATES, view: "TOTAL", properties },
    })
    const total = async (...properties: object[]) =>
      (await ask<{ series: { total: number }[] }>(filtered(...properties), "TrendsResult", "series { total }"))
        .series[0]
    expect(await total({ person: { key: "plan", operator: "IS_SET" } })).toEqual({ total: 4 })
    expect(await total({ person: { key: "email", operator: "ICONTAINS", value: "GRÖSSE" } })).toEqual({ total: 0 })
    expect(await total({ hogql: "distinct_id = 'bob'" })).toEqual({ total: 1 })
    expect(
      await total(
        { event: { key: "$browser", operator: "IS_NOT_SET" } },
        { metadata: { key: "distinct_id", value: "ann" } },
      ),
    ).toEqual({ total: 1 })
  })
})

describe("a funnel", () => {
  const steps = [{ ...views, name: "Besuch" }, { event: "signed up" }]

  test("has groups of steps with counts, percentages and times", async () => {
    const result = await ask(
      { funnel: { steps, dates: DATES } },
      "FunnelResult",
      `view timeToConvert { averageSeconds } trend { entered }
       groups {
         breakdown steps { order name customName event count percentOfFirst percentOfPrevious averageSeconds }
       }`,
    )
    expect(result).toMatchObject({
      view: "STEPS",
      timeToConvert: null,
      trend: [],
      groups: [
        {
          breakdown: null,
          steps: [
            {
              order: 0,
              name: "$pageview",
              customName: "Besuch",
              event: "$pageview",
              count: 2,
              percentOfFirst: 100,
              percentOfPrevious: 100,
              averageSeconds: null,
            },
            {
              order: 1,
              name: "signed up",
              customName: null,
              event: "signed up",
              count: 1,
              percentOfFirst: 50,
              percentOfPrevious: 50,
              averageSeconds: 60,
            },
          ],
        },
      ],
    })
  })

  test("tells how long it took, the share of each day, and values of a breakdown", async () => {
    const times = await ask(
      { funnel: { steps, dates: DATES, view: "TIME_TO_CONVERT", binCount: 1 } },
      "FunnelResult",
      "groups { isOther } timeToConvert { averageSeconds bins { fromSeconds count } }",
    )
    expect(times).toMatchObject({
      groups: [],
      timeToConvert: {
        averageSeconds: 60,
        bins: [
          { fromSeconds: 60, count: 1 },
          { fromSeconds: 120, count: 0 },
        ],
      },
    })
    const trend = await ask(
      { funnel: { steps, dates: DATES, view: "TREND", window: { count: 1, unit: "HOUR" } } },
      "FunnelResult",
      "trend { entered points { day value } }",
    )
    expect(trend).toMatchObject({
      trend: [{ entered: 4, points: [{ value: 50 }, { value: 0 }, { value: 0 }] }],
    })
    const byBrowser = await ask(
      { funnel: { steps, dates: DATES, breakdown: { properties: [{ key: "$browser" }] } } },
      "FunnelResult",
      "groups { breakdown steps { count } }",
    )
    expect(byBrowser).toMatchObject({
      groups: expect.arrayContaining([
        { breakdown: ["Firefox"], steps: [{ count: 1 }, { count: 1 }] },
        { breakdown: ["Chrome"], steps: [{ count: 1 }, { count: 0 }] },
      ]),
    })
  })
})

describe("other insights", () => {
  test("a retention is a triangle of counts and percentages", async () => {
    const retention = { intervalCount: 3, dates: { to: "2024-03-06" } }
    const { matrix } = await ask<{ matrix: unknown[] }>(
      { retention },
      "RetentionResult",
      "matrix { label date values { label count percent } }",
    )
    expect(matrix).toMatchObject([
      {
        label: "Day 0",
        values: [
          { label: "Day 0", count: 2, percent: 100 },
          { count: 1, percent: 50 },
          { count: 1, percent: 50 },
        ],
      },
      { label: "Day 1", values: [{ count: 1, percent: 100 }, { count: 1 }] },
      { label: "Day 2", values: [{ count: 1 }] },
    ])
  })

  test("paths are links between numbered steps", async () => {
    const paths = { dates: DATES, itemTypes: ["PAGEVIEW"] }
    expect(
      await ask({ paths }, "PathsResult", "links { source { key step item } target { item } count averageSeconds }"),
    ).toMatchObject({
      links: [
        {
          source: { key: "1_/pricing", step: 1, item: "/pricing" },
          target: { item: "/signup" },
          count: 1,
          averageSeconds: 60,
        },
      ],
    })
  })

  test("a stickiness counts actors by number of intervals", async () => {
    const stickiness = { series: [views], dates: DATES }
    expect(
      await ask({ stickiness }, "StickinessResult", "series { label total points { intervals label actors } }"),
    ).toMatchObject({
      series: [
        {
          label: "$pageview",
          total: 2,
          points: [
            { intervals: 1, label: "1 day", actors: 1 },
            { intervals: 2, actors: 0 },
            { intervals: 3, actors: 1 },
          ],
        },
      ],
    })
  })

  test("a lifecycle has a line for each status", async () => {
    const lifecycle = { series: views, dates: DATES }
    expect(await ask({ lifecycle }, "LifecycleResult", "series { status total points { value } }")).toMatchObject({
      series: [
        { status: "NEW", points: [{ value: 2 }, { value: 0 }, { value: 0 }] },
        { status: "RETURNING", points: [{ value: 0 }, { value: 1 }, { value: 1 }] },
        { status: "RESURRECTING", total: 0 },
        { status: "DORMANT", points: [{ value: 0 }, { value: -1 }, { value: 0 }] },
      ],
    })
  })

  test("numbers of a site stand beside those of the time before", async () => {
    const webOverview = { dates: DATES, compare: {} }
    const { items } = await ask<{ items: { key: string }[] }>(
      { webOverview },
      "WebOverviewResult",
      "items { key unit current previous isIncreaseBad }",
    )
    expect(items).toEqual(
      expect.arrayContaining([
        { key: "VIEWS", unit: "COUNT", current: 5, previous: 0, isIncreaseBad: false },
        { key: "BOUNCE_RATE", unit: "PERCENT", current: 0, previous: null, isIncreaseBad: true },
      ]),
    )
    const webStats = { dates: DATES, breakdownBy: "PAGE", limit: 1 }
    expect(
      await ask(
        { webStats },
        "WebStatsResult",
        "hasMore rows { value visitors { current previous } views { current } bounceRate { current } }",
      ),
    ).toMatchObject({
      hasMore: true,
      rows: [{ value: "/pricing", visitors: { current: 2, previous: null }, views: { current: 4 }, bounceRate: null }],
    })
  })
})

describe("the other kinds", () => {
  test("a table of sessions has those with an event that fits", async () => {
    const sessions = {
      select: ["session_id", "$pageview_count"],
      after: "all",
      eventProperties: [{ event: { key: "$browser", value: "Firefox" } }],
    }
    expect(await ask({ sessions }, "SessionsResult", "columns { name } rows hasMore")).toMatchObject({
      columns: [{ name: "session_id" }, { name: "$pageview_count" }],
      rows: [["018e0a00-0000-7000-8000-000000000001", 2]],
      hasMore: false,
    })
  })

  test("values of a property are counted, those of persons as well", async () => {
    const propertyValues = { key: "plan", subject: "PERSON" }
    expect(await ask({ propertyValues }, "PropertyValuesResult", "values { value count }")).toMatchObject({
      values: [{ value: "pro", count: 1 }],
    })
  })

  test("a heatmap has hours of weekdays and their sums", async () => {
    const calendarHeatmap = { series: views, dates: DATES }
    expect(
      await ask(
        { calendarHeatmap },
        "CalendarHeatmapResult",
        "cells { day hour value } days { day value } hours { hour value } total",
      ),
    ).toMatchObject({
      cells: [
        { day: 1, hour: 8, value: 2 },
        { day: 1, hour: 9, value: 1 },
        { day: 2, hour: 8, value: 1 },
        { day: 3, hour: 8, value: 1 },
      ],
      days: [
        { day: 1, value: 3 },
        { day: 2, value: 1 },
        { day: 3, value: 1 },
      ],
      hours: [
        { hour: 8, value: 4 },
        { hour: 9, value: 1 },
      ],
      total: 5,
    })
  })

  test("conversions of a site are by page, and addresses by text", async () => {
    const webStats = { dates: DATES, breakdownBy: "BROWSER", conversionGoal: { event: "signed up" } }
    const numbers = "conversions { current } convertingVisitors { current } conversionRate { current }"
    expect(await ask({ webStats }, "WebStatsResult", `rows { value ${numbers} views { current } }`)).toMatchObject({
      rows: expect.arrayContaining([
        {
          value: "Firefox",
          conversions: { current: 1 },
          convertingVisitors: { current: 1 },
          conversionRate: { current: 1 },
          views: null,
        },
      ]),
    })
    const webPageUrlSearch = { dates: DATES, search: "PRIC" }
    expect(await ask({ webPageUrlSearch }, "WebPageUrlSearchResult", "hasMore rows { url views }")).toMatchObject({
      hasMore: false,
      rows: [{ url: "/pricing", views: 4 }],
    })
    const nothing = { dates: DATES }
    expect(await ask({ webGoals: nothing }, "WebGoalsResult", "hasMore goals { name }")).toMatchObject({ goals: [] })
    expect(await ask({ webExternalClicks: nothing }, "WebExternalClicksResult", "hasMore rows { url }")).toMatchObject({
      rows: [],
    })
    const webVitalsPaths = { ...nothing, goodUpTo: 1, fairUpTo: 2 }
    expect(
      await ask({ webVitalsPaths }, "WebVitalsPathsResult", "good { path } fair { path } poor { path value }"),
    ).toMatchObject({ good: [], fair: [], poor: [] })
  })

  test("a funnel is compared with the time before, a retention adds up what they paid", async () => {
    const funnel = { steps: [views, { event: "signed up" }], dates: DATES, compare: {} }
    expect(await ask({ funnel }, "FunnelResult", "groups { period steps { count } }")).toMatchObject({
      groups: [
        { period: "CURRENT", steps: [{ count: 2 }, { count: 1 }] },
        { period: "PREVIOUS", steps: [{ count: 0 }, { count: 0 }] },
      ],
    })
    const retention = {
      intervalCount: 1,
      dates: { to: "2024-03-04" },
      target: views,
      returning: { event: "signed up" },
      aggregation: "SUM",
      aggregationProperty: "price",
    }
    expect(await ask({ retention }, "RetentionResult", "matrix { values { aggregate } }")).toMatchObject({
      matrix: [{ values: [{ aggregate: expect.any(Number) }] }],
    })
  })
})

interface Fault {
  readonly message: string
  readonly extensions: { readonly code: string }
}

const TABLE = `query ($input: QueryInput!, $refresh: QueryRefresh! = BLOCKING) {
  query(input: $input, refresh: $refresh) {
    __typename
    ... on QueryAnswer {
      kind hogql cache { key isCached isStale computedAt dataThrough } timings { step seconds } run { id }
    }
    ... on TableResult { columns { name type } rows hasMore limit offset }
    ... on ActorsResult { missingActorsCount }
    ... on JsonResult { answer }
    ... on QueryRun { id state }
    ... on CacheMiss { key }
  }
}`

async function askTable(input: object, refresh = "BLOCKING"): Promise<Record<string, unknown>> {
  const { query } = await server.api.graphql<{ query: Record<string, unknown> }>(TABLE, { input, refresh })
  return query
}

async function refuse(input: object): Promise<Fault | undefined> {
  const { body } = await server.api.post<{ errors?: Fault[] }>("/graphql", { query: TABLE, variables: { input } })
  return body.errors?.[0]
}

describe("a table", () => {
  test("of HogQL has columns with names and types, rows, and how old they are", async () => {
    const query = "SELECT event, count() AS n FROM events WHERE {filters} GROUP BY event ORDER BY n DESC LIMIT 1"
    const hogql = {
      query,
      dates: { from: "2024-03-04" },
      properties: [{ event: { key: "$browser", value: "Firefox" } }],
    }
    expect(await askTable({ hogql })).toEqual({
      __typename: "HogQLResult",
      kind: "HOGQL",
      hogql: expect.stringContaining("SELECT"),
      cache: {
        key: expect.stringMatching(/^cache_/),
        isCached: false,
        isStale: false,
        computedAt: expect.any(String),
        dataThrough: expect.any(String),
      },
      timings: [{ step: "./engine", seconds: expect.any(Number) }],
      run: null,
      columns: [
        { name: "event", type: "String" },
        { name: "n", type: "UInt64" },
      ],
      rows: [["$pageview", 2]],
      hasMore: true,
      limit: 1,
      offset: 0,
    })
    expect(await askTable({ hogql })).toMatchObject({ cache: { isCached: true } })
    expect(await askTable({ hogql }, "FORCE_BLOCKING")).toMatchObject({ cache: { isCached: false } })
  })

  test("keeps all digits of whole numbers, also from the cache", async () => {
    const hogql = { query: "SELECT 9007199254740993 AS long" }
    const body = {
      query: "query ($input: QueryInput!) { query(input: $input) { ... on HogQLResult { rows } } }",
      variables: { input: { hogql } },
    }
    for (let time = 0; time < 2; time++) {
      const response = await fetch(`${server.api.url}/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.api.personalKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
      expect(await response.text()).toContain('"rows":[[9007199254740993]]')
    }
  })

  test("of events is filtered, ordered and paged", async () => {
    const events = { select: ["event", "properties.price"], event: "signed up", after: "2024-03-01", limit: 5 }
    expect(await askTable({ events })).toMatchObject({
      __typename: "EventsResult",
      columns: [{ name: "event", type: "String" }, { name: "properties.price" }],
      rows: [["signed up", "12.5"]],
      hasMore: false,
      limit: 5,
    })
    const page = { select: ["distinct_id"], orderBy: ["timestamp ASC"], after: "all", limit: 2, offset: 3 }
    expect(await askTable({ events: page })).toMatchObject({ rows: [["bob"], ["ann"]], hasMore: true, offset: 3 })
  })

  test("of persons can be those behind a number of any insight", async () => {
    const actors = (source: object) => ({
      actors: { select: ["properties.email"], orderBy: ["properties.email"], source },
    })
    const [ann, bob] = [["ann@größe.test"], ["bob@b.test"]]
    const trends = { series: [{ event: "$pageview" }], dates: DATES, breakdown: { properties: [{ key: "$browser" }] } }
    const steps = [{ event: "$pageview" }, { event: "signed up" }]
    const rowsOf = async (source: object) => (await askTable(actors(source))).rows
    expect(await rowsOf({ trends: { of: trends, day: "2024-03-04", breakdown: ["Chrome"] } })).toEqual([bob])
    expect(await rowsOf({ trends: { of: trends, breakdown: [null] } })).toEqual([ann])
    expect(await rowsOf({ funnel: { of: { steps, dates: DATES }, step: -2 } })).toEqual([bob])
    expect(await rowsOf({ retention: { of: { intervalCount: 3, dates: { to: "2024-03-06" } }, interval: 1 } })).toEqual(
      [ann],
    )
    expect(await rowsOf({ paths: { of: { dates: DATES }, from: "1_/pricing", to: "2_/signup" } })).toEqual([ann])
    expect(
      await rowsOf({ stickiness: { of: { series: [{ event: "$pageview" }], dates: DATES }, intervals: 1 } }),
    ).toEqual([bob])
    const lifecycle = { of: { series: { event: "$pageview" }, dates: DATES }, day: "2024-03-04", status: "NEW" }
    expect(await rowsOf({ lifecycle })).toEqual([ann, bob])
    expect(await askTable(actors({ hogql: "SELECT person_id FROM events WHERE distinct_id = 'bob'" }))).toMatchObject({
      __typename: "ActorsResult",
      rows: [bob],
      missingActorsCount: 0,
    })
  })

  test("of groups has name and key", async () => {
    expect(await askTable({ groups: { groupTypeIndex: 0, search: "söhne" } })).toMatchObject({
      __typename: "GroupsResult",
      rows: [["Acme & Söhne", "acme"]],
    })
  })
})

describe("a raw query", () => {
  test("gives the type of its kind, and JSON for a kind without one", async () => {
    const raw = { kind: "HogQLQuery", query: "SELECT 1 AS one" }
    expect(await askTable({ raw })).toMatchObject({ __typename: "HogQLResult", rows: [[1]] })
    expect(await askTable({ raw: { kind: "TeamTaxonomyQuery" } })).toMatchObject({
      __typename: "JsonResult",
      answer: { results: expect.any(Array), cache_key: expect.any(String) },
    })
  })
})

describe("a refresh mode", () => {
  test("gives a cache miss, a run, and a stale answer beside the run that renews it", async () => {
    const hogql = { query: "SELECT 47 + 11" }
    expect(await askTable({ hogql }, "FORCE_CACHE")).toEqual({ __typename: "CacheMiss", key: expect.any(String) })
    expect(await askTable({ hogql }, "ASYNC")).toMatchObject({ __typename: "QueryRun", id: expect.any(String) })
    const raw = { kind: "TeamTaxonomyQuery", limit: 3 }
    expect(await askTable({ raw })).toMatchObject({ run: null })
    expect(await askTable({ raw }, "FORCE_CACHE")).toMatchObject({
      __typename: "JsonResult",
      cache: { isCached: true },
    })
  })
})

describe("a query is refused", () => {
  test("without any kind and with two", async () => {
    expect(await refuse({})).toMatchObject({ extensions: { code: "BAD_USER_INPUT" } })
    expect(await refuse({ hogql: { query: "SELECT 1" }, raw: {} })).toMatchObject({
      extensions: { code: "BAD_USER_INPUT" },
    })
  })

  test("for an option that does not fit, by its name", async () => {
    const both = { trends: { series: [{ event: "a", action: 1 }] } }
    expect(await refuse(both)).toMatchObject({ message: expect.stringContaining("either event or action") })
    const none = { trends: { series: [] } }
    expect(await refuse(none)).toMatchObject({ message: expect.stringContaining("TrendsQuery.series") })
    expect(await refuse({ hogql: { query: "SELECT nope FROM events" } })).toMatchObject({
      message: expect.stringContaining("nope"),
      extensions: { code: "QUERY_REJECTED" },
    })
  })
})

test("no answer has anything of another project", async () => {
  const hogql = { query: "SELECT properties.$browser FROM events WHERE properties.$browser = 'Theirs'" }
  expect(await askTable({ hogql })).toMatchObject({ rows: [] })
})
