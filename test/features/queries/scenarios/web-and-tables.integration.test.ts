import type { Json } from "../../../../src/kernel/json.js"
import { uuidOf } from "../kinds/kind-engine.js"
import { event, inSession, namePersons, ScenarioWorld } from "./scenario-world.js"

const world = new ScenarioWorld([
  { id: 1, name: "Bought", steps: [{ event: "buy" }] },
  { id: 2, name: "Signed up", steps: [{ event: "signup" }] },
])
const DATES = { date_from: "2024-03-04", date_to: "2024-03-05" }
const page = (actor: string, when: string, path: string, more: Record<string, Json> = {}) =>
  event(actor, "$pageview", when, { $pathname: path, $current_url: `https://a.test${path}`, ...more })

/** Ann and bob look around and buy, cid only looks; dan was there two days before. */
const SITE = [
  inSession("a1", page("ann", "04 09:00", "/")),
  inSession("a1", page("ann", "04 09:05", "/shop")),
  inSession("a1", event("ann", "buy", "04 09:06", { $pathname: "/shop" })),
  inSession("a1", event("ann", "buy", "04 09:07", { $pathname: "/shop" })),
  inSession("b1", page("bob", "05 22:00", "/shop", { $browser: "Firefox" })),
  inSession("b1", event("bob", "buy", "05 22:01", { $pathname: "/shop", $browser: "Firefox" })),
  inSession("c1", page("cid", "05 10:00", "/")),
  inSession("d1", page("dan", "03 10:00", "/")),
  inSession("d1", event("dan", "buy", "03 10:01", { $pathname: "/shop" })),
]
const goal = { conversionGoal: { customEventName: "buy" } }
const action = { conversionGoal: { actionId: 1 } }
const compared = { compareFilter: { compare: true } }
const firefox = { properties: [{ type: "event", key: "$browser", value: "Firefox" }] }

interface Item {
  readonly key: string
  readonly value: number | null
  readonly previous: number | null
}

world.group<Item[]>(
  "conversions of a site",
  {
    events: SITE,
    query: { kind: "WebOverviewQuery", properties: [], dateRange: DATES },
    show: (items) => Object.fromEntries(items.map(({ key, value, previous }) => [key, [value, previous]])),
  },
  [
    [
      "are shown instead of views, with the share of visitors",
      goal,
      {
        visitors: [3, null],
        "total conversions": [3, null],
        "unique conversions": [2, null],
        "conversion rate": [(2 / 3) * 100, null],
      },
    ],
    [
      "are those of an action",
      action,
      {
        visitors: [3, null],
        "total conversions": [3, null],
        "unique conversions": [2, null],
        "conversion rate": [(2 / 3) * 100, null],
      },
    ],
    [
      "stand beside those of the time before",
      { ...goal, ...compared },
      {
        visitors: [3, 1],
        "total conversions": [3, 1],
        "unique conversions": [2, 1],
        "conversion rate": [(2 / 3) * 100, 100],
      },
    ],
    [
      "are filtered like views",
      { ...goal, ...firefox },
      {
        visitors: [1, null],
        "total conversions": [1, null],
        "unique conversions": [1, null],
        "conversion rate": [100, null],
      },
    ],
    [
      "have no rate without visitors",
      { ...goal, dateRange: { date_from: "2024-03-01", date_to: "2024-03-01" } },
      {
        visitors: [0, null],
        "total conversions": [0, null],
        "unique conversions": [0, null],
        "conversion rate": [null, null],
      },
    ],
    [
      "count visitors who convert without a view",
      { conversionGoal: { customEventName: "buy" }, properties: [{ type: "hogql", key: "event = 'buy'" }] },
      {
        visitors: [2, null],
        "total conversions": [3, null],
        "unique conversions": [2, null],
        "conversion rate": [100, null],
      },
    ],
    [
      "are not shown when nobody asks",
      {},
      {
        visitors: [3, null],
        views: [4, null],
        sessions: [3, null],
        "session duration": [160, null],
        "bounce rate": [(1 / 3) * 100, null],
      },
    ],
  ],
)

world.group<Json[][]>(
  "conversions by a property",
  {
    events: SITE,
    query: { kind: "WebStatsTableQuery", properties: [], dateRange: DATES, breakdownBy: "Page", ...goal },
    show: (rows) => rows,
  },
  [
    [
      "count where the event happened",
      {},
      [
        ["/shop", [2, null], [3, null], [2, null], [1, null]],
        ["/", [2, null], [0, null], [0, null], [0, null]],
      ],
    ],
    [
      "count by the page that a session began with",
      { breakdownBy: "InitialPage" },
      [
        ["/", [2, null], [2, null], [1, null], [0.5, null]],
        ["/shop", [1, null], [1, null], [1, null], [1, null]],
      ],
    ],
    [
      "stand beside the time before, without a rate where nobody was",
      { ...compared, ...action, breakdownBy: "Page" },
      [
        ["/shop", [2, 1], [3, 1], [2, 1], [1, 1]],
        ["/", [2, 1], [0, 0], [0, 0], [0, 0]],
      ],
    ],
    ["come in pages", { limit: 1, offset: 1 }, [["/", [2, null], [0, null], [0, null], [0, null]]]],
  ],
)

world.group<Json[][]>(
  "goals of a site",
  { events: SITE, query: { kind: "WebGoalsQuery", properties: [], dateRange: DATES }, show: (rows) => rows },
  [
    [
      "are its actions, the newest first",
      {},
      [
        ["Signed up", [0, null], [0, null], [0, null]],
        ["Bought", [2, null], [3, null], [2 / 3, null]],
      ],
    ],
    [
      "are ordered by who came to them, beside the time before",
      { ...compared, orderBy: ["ConvertingUsers", "DESC"] },
      [
        ["Bought", [2, 1], [3, 1], [2 / 3, 1]],
        ["Signed up", [0, 0], [0, 0], [0, 0]],
      ],
    ],
    [
      "are ordered by how often, the least first",
      { orderBy: ["TotalConversions", "ASC"] },
      [
        ["Signed up", [0, null], [0, null], [0, null]],
        ["Bought", [2, null], [3, null], [2 / 3, null]],
      ],
    ],
    ["are filtered", { ...firefox, limit: 1, offset: 1 }, [["Bought", [1, null], [1, null], [1, null]]]],
    ["are few", { limit: 1 }, [["Signed up", [0, null], [0, null], [0, null]]]],
  ],
)

world.refuses("a goal", { kind: "WebOverviewQuery", properties: [], dateRange: DATES }, [
  ["conversionGoal must have actionId or customEventName", { conversionGoal: {} }],
  ["customEventName cannot be used with actionId", { conversionGoal: { actionId: 1, customEventName: "buy" } }],
  ["actionId must be the number of an action of the project", { conversionGoal: { actionId: 9 } }],
  ["conversionGoal.event is not known", { conversionGoal: { event: "buy" } }],
  ["conversionGoal is not supported", { kind: "WebGoalsQuery", ...goal }],
  ["conversionGoal is not supported", { kind: "WebExternalClicksTableQuery", ...goal }],
  ["conversionGoal is not supported", { kind: "WebPageURLSearchQuery", ...goal }],
  [
    "includeBounceRate cannot be used",
    { kind: "WebStatsTableQuery", breakdownBy: "Page", includeBounceRate: true, ...goal },
  ],
  ["orderBy must begin with one of: ConvertingUsers", { kind: "WebGoalsQuery", orderBy: ["Visitors", "ASC"] }],
  ["orderBy must end with ASC or DESC", { kind: "WebGoalsQuery", orderBy: ["ConvertingUsers", "up"] }],
])

const vital = (actor: string, when: string, path: string | null, INP: number, more: Record<string, Json> = {}) =>
  event(actor, "$web_vitals", when, { ...(path !== null && { $pathname: path }), $web_vitals_INP_value: INP, ...more })
const VITALS = [
  ...[100, 200, 300, 400].map((value) => vital("ann", "04", "/mixed", value)),
  vital("ann", "04", "/slow", 900, { $web_vitals_LCP_value: 50 }),
  vital("bob", "05", "/fast", 10),
  vital("bob", "05", "/edge", 200, { $browser: "Firefox" }),
  vital("bob", "05", null, 5),
  vital("bob", "01", "/earlier", 5),
]

world.group<Json>(
  "how fast pages are",
  {
    events: VITALS,
    query: {
      kind: "WebVitalsPathBreakdownQuery",
      properties: [],
      dateRange: DATES,
      metric: "INP",
      percentile: "p75",
      thresholds: [200, 500],
    },
    show: (results) => results,
  },
  [
    [
      "is told by path in three bands, a threshold being in the better one",
      {},
      [
        {
          good: [
            { path: "/fast", value: 10 },
            { path: "/edge", value: 200 },
          ],
          needs_improvements: [{ path: "/mixed", value: 325 }],
          poor: [{ path: "/slow", value: 900 }],
        },
      ],
    ],
    [
      "is told by another percentile",
      { percentile: "p90", ...firefox, properties: [{ type: "event", key: "$pathname", value: "/mixed" }] },
      [{ good: [], needs_improvements: [{ path: "/mixed", value: 370 }], poor: [] }],
    ],
    [
      "is told by another measure, where there is one",
      { metric: "LCP", thresholds: [10, 40] },
      [{ good: [], needs_improvements: [], poor: [{ path: "/slow", value: 50 }] }],
    ],
    ["is filtered", firefox, [{ good: [{ path: "/edge", value: 200 }], needs_improvements: [], poor: [] }]],
  ],
)

world.group<{ data: number[]; action: { custom_name: string | null; math: string } }[]>(
  "a trend of a site's speed",
  {
    events: VITALS,
    query: {
      kind: "WebVitalsQuery",
      properties: [],
      source: {
        kind: "TrendsQuery",
        dateRange: DATES,
        series: [
          {
            kind: "EventsNode",
            event: "$web_vitals",
            custom_name: "INP",
            math: "p75",
            math_property: "$web_vitals_INP_value",
          },
        ],
      },
    },
    show: (lines) => lines.map(({ data, action }) => [action.custom_name, action.math, data]),
  },
  [
    ["is the trend in its source", {}, [["INP", "p75", [400, 105]]]],
    ["has the filters of the site besides", firefox, [["INP", "p75", [0, 200]]]],
    [
      "has the dates of the site where it has none",
      {
        dateRange: { date_from: "2024-03-01", date_to: "2024-03-01" },
        source: {
          kind: "TrendsQuery",
          series: [{ kind: "EventsNode", event: "$web_vitals", custom_name: "n" }],
          properties: [],
        },
      },
      [["n", "total", [1]]],
    ],
    [
      "may be wrapped as charts are",
      {
        source: {
          kind: "InsightVizNode",
          source: { kind: "TrendsQuery", dateRange: DATES, series: [{ kind: "EventsNode", event: "$web_vitals" }] },
        },
      },
      [[null, "total", [5, 3]]],
    ],
  ],
)

world.refuses("a site's speed", { kind: "WebVitalsPathBreakdownQuery", properties: [], thresholds: [1, 2] }, [
  ["thresholds is required and must be two numbers", { thresholds: [5, 1] }],
  ["metric must be one of: INP, LCP, CLS, FCP", { metric: "TTFB" }],
  ["percentile must be one of: p75, p90, p99", { percentile: "p50" }],
  ["kind must be TrendsQuery", { kind: "WebVitalsQuery", thresholds: null, source: { kind: "PathsQuery" } }],
])

interface Heatmap {
  readonly data: readonly { row: number; column: number; value: number }[]
  readonly rowAggregations: readonly { row: number; value: number }[]
  readonly columnAggregations: readonly { column: number; value: number }[]
  readonly allAggregations: number
}
const OPENED = [
  inSession("s1", event("ann", "open", "04 09:10")),
  inSession("s1", event("ann", "open", "04 10:10")),
  inSession("s2", event("ann", "open", "05 09:50")),
  inSession("s3", event("bob", "open", "04 09:59")),
  inSession("s3", event("bob", "close", "04 10:01")),
  inSession("s4", event("cid", "open", "03 23:50")),
  inSession("s4", event("cid", "open", "04 00:10")),
  event("dan", "open", "05 23:30", { plan: "pro" }),
]
const opened = (math: string, more = {}) => ({ series: [{ kind: "EventsNode", event: "open", math, ...more }] })

world.group<Heatmap>(
  "a week by hours",
  {
    events: OPENED,
    query: { kind: "CalendarHeatmapQuery", dateRange: DATES, ...opened("total") },
    show: ({ data, rowAggregations, columnAggregations, allAggregations }) => [
      data.map(({ row, column, value }) => `${row}/${column} ${value}`),
      rowAggregations.map(({ row, value }) => `${row} ${value}`),
      columnAggregations.map(({ column, value }) => `${column} ${value}`),
      allAggregations,
    ],
  },
  [
    [
      "counts events, Monday being 1",
      {},
      [["1/0 1", "1/9 2", "1/10 1", "2/9 1", "2/23 1"], ["1 4", "2 2"], ["0 1", "9 3", "10 1", "23 1"], 6],
    ],
    [
      "counts persons once in each cell, where their sessions began",
      opened("dau"),
      [["1/9 2", "2/9 1", "2/23 1"], ["1 2", "2 2"], ["9 2", "23 1"], 3],
    ],
    [
      "is filtered by the series",
      opened("total", { properties: [{ type: "event", key: "plan", value: "pro" }] }),
      [["2/23 1"], ["2 1"], ["23 1"], 1],
    ],
    [
      "is filtered as a whole",
      { properties: [{ type: "hogql", key: "distinct_id = 'bob'" }] },
      [["1/9 1"], ["1 1"], ["9 1"], 1],
    ],
    [
      "is of conversions when asked for them",
      { conversionGoal: { customEventName: "close" } },
      [["1/10 1"], ["1 1"], ["10 1"], 1],
    ],
    ["is empty without events", { dateRange: { date_from: "2024-03-08", date_to: "2024-03-09" } }, [[], [], [], 0]],
  ],
)

world.refuses("a week by hours", { kind: "CalendarHeatmapQuery", ...opened("total") }, [
  ["math must be total or dau", opened("weekly_active")],
  ["interval is not supported", { interval: "hour" }],
  ["series must have one item", { series: [] }],
  ["compareFilter is not supported", compared],
  ["breakdownFilter is not supported", { breakdownFilter: { breakdown: "plan" } }],
])

const VISITS = [
  inSession("v1", page("ann", "14 13:00", "/", { plan: "pro" })),
  inSession("v1", page("ann", "14 13:30", "/shop", { plan: "pro" })),
  inSession("v1", event("ann", "buy", "14 13:40")),
  inSession("v2", page("bob", "15 08:00", "/shop")),
  inSession("v3", page("bob", "15 11:00", "/blog")),
  inSession("v4", page("cid", "10 11:00", "/")),
  inSession("v5", event("ann", "buy", "15 09:00", { plan: "free" })),
]
const session = (key: string, value: Json, operator = "exact") => ({ type: "session", key, value, operator })
const name = (row: Json[]) => ["v1", "v2", "v3", "v4", "v5"].find((id) => uuidOf(id) === row[0])

world.group<Json[][]>(
  "a table of sessions",
  {
    events: VISITS,
    persons: { bob: { email: "bob@a.test" } },
    query: { kind: "SessionsQuery", select: ["session_id", "$start_timestamp"] },
    show: (rows) => rows.map((row) => name(row) ?? row),
  },
  [
    ["holds those of the last day, the newest first", {}, ["v3", "v5", "v2", "v1"]],
    ["holds all when asked", { after: "all" }, ["v3", "v5", "v2", "v1", "v4"]],
    ["ends where it is told", { after: "2024-03-10", before: "2024-03-14T14:00:00" }, ["v1", "v4"]],
    ["comes in pages", { limit: 2, offset: 1 }, ["v5", "v2"]],
    ["is ordered as asked", { orderBy: ["$session_duration DESC", "session_id"], limit: 1 }, ["v1"]],
    ["is filtered by what sessions have", { properties: [session("$entry_pathname", "/shop")] }, ["v2"]],
    ["is filtered by how long they took", { properties: [session("$session_duration", 600, "gt")] }, ["v1"]],
    [
      "is filtered by one of several conditions",
      {
        properties: [
          { type: "OR", values: [session("$entry_pathname", "/shop"), session("$entry_pathname", "/blog")] },
        ],
      },
      ["v3", "v2"],
    ],
    ["is filtered by an expression", { where: ["$pageview_count = 2"] }, ["v1"]],
    ["holds sessions with an event of a name", { event: "buy" }, ["v5", "v1"]],
    ["holds sessions with an event of an action", { actionId: 1 }, ["v5", "v1"]],
    [
      "holds sessions with an event of a name and a property",
      { event: "$pageview", eventProperties: [{ type: "event", key: "plan", value: "pro" }] },
      ["v1"],
    ],
    [
      "wants one event to be all that is asked of events",
      { event: "buy", eventProperties: [{ type: "event", key: "plan", value: "pro" }] },
      [],
    ],
    ["holds sessions of a person", { personId: uuidOf("bob") }, ["v3", "v2"]],
    [
      "is filtered by what persons have",
      { properties: [{ type: "person", key: "email", value: "bob@a.test" }] },
      ["v3", "v2"],
    ],
    [
      "counts, by what sessions have",
      { select: ["count()", "$entry_pathname"], after: "all", orderBy: ["count() DESC", "$entry_pathname"], limit: 2 },
      [
        [2, "/"],
        [1, "/blog"],
      ],
    ],
    ["calculates", { select: ["max($session_duration)"] }, [[2400]]],
    [
      "knows its fields by the name of the session too",
      { select: ["session.$entry_pathname -- where"], limit: 1 },
      [["/"]],
    ],
    [
      "shows a session as an object",
      { select: ["*"], properties: [session("$entry_pathname", "/blog")] },
      [
        [
          {
            session_id: uuidOf("v3"),
            distinct_id: "bob",
            $start_timestamp: "2024-03-15T11:00:00Z",
            $end_timestamp: "2024-03-15T11:00:00Z",
            $session_duration: 0,
            $entry_current_url: "https://a.test/blog",
            $end_current_url: "https://a.test/blog",
            $pageview_count: 1,
            $autocapture_count: 0,
            $screen_count: 0,
            $is_bounce: true,
          },
        ],
      ],
    ],
  ],
)

world.refuses("a table of sessions", { kind: "SessionsQuery", select: ["session_id"] }, [
  ["select is required", { select: null }],
  ["Unable to resolve field: plan", { select: ["plan"] }],
  ["actionId must be the number of an action", { actionId: 7 }],
])

const VALUED = [
  event("ann", "open", "14", { plan: "pro", seats: 5 }),
  event("ann", "open", "14", { plan: "pro", tags: ["a", "b"] }),
  event("bob", "close", "13", { plan: "free", tags: ["b"] }),
  event("bob", "close", "13", { plan: "professional", seats: 12 }),
  event("cid", "open", "08 00:30", { plan: "", seats: 5 }),
  event("cid", "open", "07 23:30", { plan: "older" }),
]

world.group<{ name: Json; count: number }[]>(
  "values of a property",
  {
    events: VALUED,
    persons: { ann: { plan: "pro" }, bob: { plan: "free" }, cid: { plan: "free" } },
    query: { kind: "PropertyValuesQuery", property_type: "event", property_key: "plan" },
    show: (items) => items.map(({ name: value, count }) => [value, count]),
  },
  [
    [
      "are those of the last days, the most frequent first",
      {},
      [
        ["pro", 2],
        ["free", 1],
        ["professional", 1],
      ],
    ],
    [
      "are found by a part, the shortest first",
      { search_value: "PRO" },
      [
        ["pro", 2],
        ["professional", 1],
      ],
    ],
    ["are letters where a pattern has signs", { search_value: "p_o" }, []],
    [
      "are those of some events",
      { event_names: ["close"] },
      [
        ["free", 1],
        ["professional", 1],
      ],
    ],
    [
      "are numbers",
      { property_key: "seats" },
      [
        [5, 2],
        [12, 1],
      ],
    ],
    [
      "are the items of lists",
      { property_key: "tags" },
      [
        ["b", 2],
        ["a", 1],
      ],
    ],
    [
      "are those of a column",
      { property_key: "event", is_column: true },
      [
        ["open", 3],
        ["close", 2],
      ],
    ],
    [
      "are those of persons",
      { property_type: "person" },
      [
        ["free", 2],
        ["pro", 1],
      ],
    ],
    ["are those of persons that hold a text", { property_type: "person", search_value: "fr" }, [["free", 2]]],
    ["are none of a property that nobody has", { property_key: "size" }, []],
  ],
)

world.refuses("values of a property", { kind: "PropertyValuesQuery", property_key: "plan" }, [
  ["property_key is required", { property_key: null }],
  ["property_type must be one of: event, person", { property_type: "group" }],
  ["event_names has no effect on properties of persons", { property_type: "person", event_names: ["open"] }],
])

world.group<Json>(
  "properties of persons",
  {
    events: VALUED,
    persons: { ann: { plan: "pro", seats: 3 }, bob: { plan: "free" }, cid: { plan: "free" } },
    query: { kind: "ActorsPropertyTaxonomyQuery" },
    show: (results) => results,
  },
  [
    ["are told one", { property: "plan" }, { sample_values: ["free", "pro"], sample_count: 2 }],
    [
      "are told together, in the order of their names",
      { properties: ["seats", "nothing", "plan"] },
      [
        { sample_values: ["3"], sample_count: 1 },
        { sample_values: [], sample_count: 0 },
        { sample_values: ["free", "pro"], sample_count: 2 },
      ],
    ],
    [
      "have few samples",
      { properties: ["plan"], maxPropertyValues: 1 },
      [{ sample_values: ["free"], sample_count: 2 }],
    ],
    ["are none when none is named", { properties: [] }, []],
  ],
)

world.refuses("properties of persons", { kind: "ActorsPropertyTaxonomyQuery" }, [
  ["property cannot be used with properties", { property: "plan", properties: ["plan"] }],
  ["property is required", {}],
])

world.group<Json[][]>(
  "persons behind a stickiness",
  {
    events: [...["04", "05"].map((day) => event("ann", "open", day)), event("bob", "open", "05")],
    query: {
      kind: "StickinessActorsQuery",
      source: { kind: "StickinessQuery", dateRange: DATES, series: [{ kind: "EventsNode", event: "open" }] },
    },
    show: (rows) =>
      namePersons(
        rows.map(([id = null]) => id),
        ["ann", "bob"],
      ).sort(),
  },
  [
    ["are there on one day", { day: 1 }, ["bob"]],
    ["are there on two days", { day: 2 }, ["ann"]],
    ["are there on one day or more", { day: 1, operator: "gte" }, ["ann", "bob"]],
  ],
)

/** Ann and bob look at users, whose numbers the project's rules take out of paths. */
const USERS = [
  inSession("u1", page("ann", "04 09:00", "/users/1", { $browser: "/users/7" })),
  inSession("u1", page("ann", "04 09:05", "/users/1/edit", { $prev_pageview_pathname: "/users/1" })),
  inSession("u2", page("bob", "05 10:00", "/users/2")),
  inSession("u2", page("bob", "05 10:01", "/about", { $prev_pageview_pathname: "/users/2" })),
]
const RULES = [
  { regex: "/users/\\d+", alias: "/users/<id>" },
  { regex: "<id>/(e)dit$", alias: "<id>/\\1-form" },
]
const cleaned = (breakdownBy: string) => ({ breakdownBy, doPathCleaning: true })
const pages = { kind: "WebStatsTableQuery", properties: [], dateRange: DATES }
const showRows = (rows: Json[][]) => rows.map(([value, visitors, views]) => [value, ...[visitors, views].flat()])

world.group<Json[][]>(
  "pages by the project's rules for paths",
  { events: USERS, query: pages, show: showRows, options: { pathCleaning: RULES } },
  [
    [
      "are one where they fit the same rule, and one rule follows the other",
      cleaned("Page"),
      [
        ["/users/<id>", 2, null, 2, null],
        ["/about", 1, null, 1, null],
        ["/users/<id>/e-form", 1, null, 1, null],
      ],
    ],
    ["are those with which visits begin", cleaned("InitialPage"), [["/users/<id>", 2, null, 4, null]]],
    [
      "are those with which visits end",
      cleaned("ExitPage"),
      [
        ["/about", 1, null, 2, null],
        ["/users/<id>/e-form", 1, null, 2, null],
      ],
    ],
    ["are those before", cleaned("PreviousPage"), [["/users/<id>", 2, null, 2, null]]],
    ["are paths and nothing else", cleaned("Browser"), [["/users/7", 1, null, 1, null]]],
    [
      "are shown with conversions",
      { ...cleaned("Page"), conversionGoal: { customEventName: "buy" } },
      [
        ["/users/<id>", 2, null, 0, null],
        ["/about", 1, null, 0, null],
        ["/users/<id>/e-form", 1, null, 0, null],
      ],
    ],
    [
      "are as they came unless somebody asks",
      { breakdownBy: "Page" },
      ["/about", "/users/1", "/users/1/edit", "/users/2"].map((path) => [path, 1, null, 1, null]),
    ],
  ],
)

world.group<Json[][]>("pages of a project without rules", { events: USERS, query: pages, show: showRows }, [
  [
    "are as they came",
    cleaned("Page"),
    ["/about", "/users/1", "/users/1/edit", "/users/2"].map((path) => [path, 1, null, 1, null]),
  ],
])

world.group<{ readonly [band: string]: readonly { readonly path: string }[] }[]>(
  "vitals of pages by the project's rules for paths",
  {
    events: ["/users/1", "/users/2", "/about"].map((path, index) =>
      event("ann", "$web_vitals", "04", { $pathname: path, $web_vitals_INP_value: 100 * (index + 1) }),
    ),
    query: {
      kind: "WebVitalsPathBreakdownQuery",
      properties: [],
      dateRange: DATES,
      percentile: "p99",
      thresholds: [250, 500],
    },
    show: ([bands = {}]) => Object.entries(bands).map(([band, shown]) => [band, shown.map(({ path }) => path)]),
    options: { pathCleaning: [{ regex: "\\d+", alias: "<id>" }] },
  },
  [
    [
      "are those of all that fit",
      { doPathCleaning: true },
      [
        ["good", ["/users/<id>"]],
        ["needs_improvements", ["/about"]],
        ["poor", []],
      ],
    ],
  ],
)

world.group<{ readonly source: string; readonly target: string; readonly value: number }[]>(
  "paths by the project's rules",
  {
    events: USERS,
    query: { kind: "PathsQuery", dateRange: DATES },
    show: (links) => links.map(({ source, target, value }) => `${source} > ${target} ${value}`).sort(),
    options: { pathCleaning: RULES },
  },
  [
    [
      "go through steps that are one",
      { pathsFilter: { pathReplacements: true, startPoint: "https://a.test/users/<id>" } },
      [
        "1_https://a.test/users/<id> > 2_https://a.test/about 1",
        "1_https://a.test/users/<id> > 2_https://a.test/users/<id>/e-form 1",
      ],
    ],
    [
      "are cleaned by those of the query afterwards",
      {
        pathsFilter: {
          pathReplacements: true,
          localPathCleaningFilters: [{ regex: "https://a.test/users/<id>", alias: "user" }],
        },
      },
      ["1_user > 2_https://a.test/about 1", "1_user > 2_user/e-form 1"],
    ],
    [
      "are as they came unless somebody asks",
      { pathsFilter: { pathReplacements: false } },
      [
        "1_https://a.test/users/1 > 2_https://a.test/users/1/edit 1",
        "1_https://a.test/users/2 > 2_https://a.test/about 1",
      ],
    ],
  ],
)

/** Visits of /a by ann, bob and cid, of /b by ann who stays, of /c by nobody else than bob, often. */
const RANKED = [
  ...["ann", "bob", "cid"].map((actor) => inSession(`${actor} a`, page(actor, "04 09:00", "/a"))),
  inSession("ann b", page("ann", "05 09:00", "/b")),
  inSession("ann b", page("ann", "05 09:20", "/b")),
  ...["10:00", "10:01", "10:02", "10:03"].map((time) => inSession("bob c", page("bob", `05 ${time}`, "/c"))),
]
const order = (...orderBy: string[]) => ({ breakdownBy: "Page", orderBy })

world.group<Json[][]>(
  "pages in an order that is asked for",
  { events: RANKED, query: pages, show: (rows) => rows.map(([value]) => value).join(" ") },
  [
    ["are by visitors unless somebody asks", { breakdownBy: "Page" }, "/a /c /b"],
    ["are by visitors, the fewest first", order("Visitors", "ASC"), "/c /b /a"],
    ["are by views", order("Views"), "/c /a /b"],
    ["are by views, the fewest first", order("Views", "ASC"), "/b /a /c"],
    ["are by bounces, the most first", { ...order("BounceRate", "DESC"), includeBounceRate: true }, "/a /c /b"],
    ["are cut behind the order", { ...order("Views", "ASC"), limit: 1 }, "/b"],
    [
      "are by conversions",
      { ...order("TotalConversions", "DESC"), conversionGoal: { customEventName: "$pageview" } },
      "/c /a /b",
    ],
    [
      "are by who converted, the fewest first",
      { ...order("UniqueConversions", "ASC"), conversionGoal: { customEventName: "$pageview" } },
      "/c /b /a",
    ],
  ],
)

world.refuses("pages in an order that there is not", pages, [
  ["orderBy must begin with one of: Visitors, Views.", order("BounceRate", "ASC")],
  [
    "orderBy must begin with one of: Visitors, TotalConversions",
    { ...order("Views"), conversionGoal: { actionId: 1 } },
  ],
  ["orderBy must end with ASC or DESC", order("Views", "up")],
])

const isPath = (value: Json) => ({
  filters: { properties: [{ key: "$pathname", type: "event", operator: "is_cleaned_path_exact", value }] },
})
const paths = {
  kind: "HogQLQuery",
  query: "SELECT properties.$pathname FROM events WHERE {filters} ORDER BY 1",
}

world.group<Json[][]>(
  "events by a path as the project's rules write it",
  { events: USERS, query: paths, show: (rows) => rows.flat(), options: { pathCleaning: RULES } },
  [
    ["are those of all paths that are one with it", isPath("/users/9"), ["/users/1", "/users/2"]],
    ["are found by the path as it is written", isPath("/users/<id>/e-form"), ["/users/1/edit"]],
    ["are found by one of several", isPath(["/users/3/edit", "/about"]), ["/about", "/users/1/edit"]],
    ["are none for a part of it", isPath("/users"), []],
    [
      "are told apart by cleanPath",
      { query: "SELECT cleanPath(properties.$pathname), count() FROM events GROUP BY 1 ORDER BY 1" },
      ["/about", 1, "/users/<id>", 2, "/users/<id>/e-form", 1],
    ],
  ],
)

world.group<Json[][]>(
  "events by a path of a project without rules",
  { events: USERS, query: paths, show: (rows) => rows.flat() },
  [
    ["are those of the very path", isPath("/users/1"), ["/users/1"]],
    ["are none for another", isPath("/users/9"), []],
    [
      "are as they came for cleanPath",
      { query: "SELECT cleanPath(cleanPath(properties.$pathname)) FROM events WHERE event = '$pageview' LIMIT 1" },
      ["/users/1"],
    ],
  ],
)

world.refuses("pages by the project's rules for paths", pages, [
  ["doPathCleaning must be true or false", { breakdownBy: "Page", doPathCleaning: "yes" }],
])
