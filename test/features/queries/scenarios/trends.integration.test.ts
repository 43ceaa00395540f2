import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { event, inSession, ScenarioWorld } from "./scenario-world.js"

const world = new ScenarioWorld([{ id: 4, name: "Opened or saved", steps: [{ event: "open" }, { event: "save" }] }])
const DATES = { date_from: "2024-03-04", date_to: "2024-03-07" }

/** What a line shows: its label, and its points or its total. */
interface Line {
  readonly label: string
  readonly data: readonly number[]
  readonly days: readonly string[]
  readonly aggregated_value?: number
  readonly compare_label?: string
  readonly breakdown_value?: Json
}
const showData = (lines: readonly Line[]) => lines.map(({ data }) => data)
const showLabelled = (lines: readonly Line[]) =>
  lines.map(({ label, data, aggregated_value: total }) => [label, total ?? data])
const of = (name: string | null, more: JsonObject = {}) => ({ kind: "EventsNode", event: name, ...more })
const series = (name: string | null, more: JsonObject = {}) => ({ series: [of(name, more)] })
const where = (key: string, value: Json, operator = "exact", type = "event") => ({ key, value, operator, type })

/** Ann opens daily and saves twice, bob opens on the 4th and 6th, cid only on the 7th. */
const USE = [
  ...["04", "05", "06", "07"].map((day) => event("ann", "open", day, { n: 2, plan: "pro" })),
  event("ann", "save", "05", { n: 10 }),
  event("ann", "save", "05", { n: 20 }),
  event("bob", "open", "04", { n: 4, plan: "free" }),
  event("bob", "open", "06", { n: 6, plan: "free" }),
  event("bob", "open", "06 13:00", { n: 8, plan: "free" }),
  event("cid", "open", "07", { n: "none" }),
  event("cid", "open", "01", { n: 100 }),
  event("dan", "save", "03", { n: 1 }),
]

world.group<Line[]>(
  "a trend",
  { events: USE, query: { kind: "TrendsQuery", dateRange: DATES, ...series("open") }, show: showData },
  [
    ["counts events", {}, [[2, 1, 3, 2]]],
    ["counts all events without a name", series(null), [[2, 3, 3, 2]]],
    ["counts events of an action", { series: [{ kind: "ActionsNode", id: 4 }] }, [[2, 3, 3, 2]]],
    ["counts persons", series("open", { math: "dau" }), [[2, 1, 2, 2]]],
    ["counts persons of the last seven days", series("open", { math: "weekly_active" }), [[3, 3, 3, 3]]],
    ["counts persons of the last thirty days", series("save", { math: "monthly_active" }), [[1, 2, 2, 2]]],
    ["adds a property up", series("open", { math: "sum", math_property: "n" }), [[6, 2, 16, 2]]],
    ["averages a property", series("open", { math: "avg", math_property: "n" }), [[3, 2, 16 / 3, 2]]],
    ["takes the least of a property", series("open", { math: "min", math_property: "n" }), [[2, 2, 2, 2]]],
    ["takes the most of a property", series("open", { math: "max", math_property: "n" }), [[4, 2, 8, 2]]],
    ["takes the median of a property", series("open", { math: "median", math_property: "n" }), [[3, 2, 6, 2]]],
    ["takes a percentile of a property", series("open", { math: "p90", math_property: "n" }), [[3.8, 2, 7.6, 2]]],
    ["averages the events of each person", series("open", { math: "avg_count_per_actor" }), [[1, 1, 1.5, 1]]],
    ["takes the most events of a person", series("open", { math: "max_count_per_actor" }), [[1, 1, 2, 1]]],
    ["takes the least events of a person", series("save", { math: "min_count_per_actor" }), [[0, 2, 0, 0]]],
    [
      "calculates an expression",
      series("open", { math: "hogql", math_hogql: "sum(properties.n) * 2" }),
      [[12, 4, 32, 4]],
    ],
    [
      "multiplies a property",
      series("open", { math: "sum", math_property: "n", math_multiplier: 0.5 }),
      [[3, 1, 8, 1]],
    ],
    [
      "multiplies before the least is taken",
      series("open", { math: "min", math_property: "n", math_multiplier: -1 }),
      [[-4, -2, -8, -2]],
    ],
    ["counts who does it for the first time", series("open", { math: "first_time_for_user" }), [[2, 0, 0, 0]]],
    [
      "counts a first time only if it fits the filters",
      series("open", { math: "first_time_for_user", properties: [where("n", 8)] }),
      [[0, 0, 0, 0]],
    ],
    [
      "counts the first time that fits the filters",
      series("open", { math: "first_matching_event_for_user", properties: [where("n", 6, "gte")] }),
      [[0, 0, 1, 0]],
    ],
    [
      "counts the first time that fits the filters of the whole query",
      { ...series("open", { math: "first_matching_event_for_user" }), properties: [where("n", "none")] },
      [[0, 0, 0, 1]],
    ],
    [
      "counts by the name of first times in a funnel",
      series("open", { math: "first_time_for_user_with_filters", properties: [where("n", 6, "gte")] }),
      [[0, 0, 1, 0]],
    ],
    ["is filtered by the series", series("open", { properties: [where("plan", "free")] }), [[1, 0, 2, 0]]],
    ["is filtered as a whole", { properties: [where("plan", ["free", "pro"])] }, [[2, 1, 3, 1]]],
    ["is filtered by what is not", { properties: [where("plan", "pro", "is_not")] }, [[1, 0, 2, 1]]],
    ["is filtered by what is not there", { properties: [where("plan", null, "is_not_set")] }, [[0, 0, 0, 1]]],
    ["is filtered by a part of a text", { properties: [where("plan", "RE", "icontains")] }, [[1, 0, 2, 0]]],
    ["is filtered by numbers between two", { properties: [where("n", [3, 6], "between")] }, [[1, 0, 1, 0]]],
    [
      "is filtered by one of two conditions",
      { properties: { type: "OR", values: [where("plan", "free"), where("n", "none")] } },
      [[1, 0, 2, 1]],
    ],
    [
      "shows several series",
      { series: [of("open"), of("save", { math: "sum", math_property: "n" })] },
      [
        [2, 1, 3, 2],
        [0, 30, 0, 0],
      ],
    ],
    [
      "calculates over series",
      { series: [of("open"), of("save")], trendsFilter: { formula: "A + B * 10" } },
      [[2, 21, 3, 2]],
    ],
    [
      "divides by nothing as by 0",
      { series: [of("open"), of("save")], trendsFilter: { formula: "A / B" } },
      [[0, 0.5, 0, 0]],
    ],
    ["is smoothed", { trendsFilter: { smoothingIntervals: 2 } }, [[2, 1.5, 2, 2.5]]],
    ["adds intervals up", { trendsFilter: { display: "ActionsLineGraphCumulative" } }, [[2, 3, 6, 8]]],
    [
      "adds persons up, each once",
      { ...series("open", { math: "dau" }), trendsFilter: { display: "ActionsLineGraphCumulative" } },
      [[2, 2, 2, 3]],
    ],
  ],
)

world.group<Line[]>(
  "the total of a trend",
  {
    events: USE,
    query: { kind: "TrendsQuery", dateRange: DATES, ...series("open"), trendsFilter: { display: "BoldNumber" } },
    show: (lines) => lines.map(({ aggregated_value: total }) => total ?? null),
  },
  [
    ["counts events", {}, [8]],
    ["counts persons once", series("open", { math: "dau" }), [3]],
    ["averages over all days", series("open", { math: "avg", math_property: "n" }), [26 / 7]],
    ["multiplies", series("open", { math: "avg", math_property: "n", math_multiplier: 7 }), [26]],
    ["counts first times", series("open", { math: "first_time_for_user" }), [2]],
    [
      "counts first matching times",
      series("open", { math: "first_matching_event_for_user", properties: [where("n", 2)] }),
      [1],
    ],
    ["stands beside that of the time before", { compareFilter: { compare: true } }, [8, 1]],
  ],
)

world.group<Line[]>(
  "a trend beside another time",
  {
    events: USE,
    query: { kind: "TrendsQuery", dateRange: DATES, ...series(null), compareFilter: { compare: true } },
    show: (lines) => lines.map(({ compare_label: label = "", days, data }) => [label, days[0], data]),
  },
  [
    [
      "takes as many days before",
      {},
      [
        ["current", "2024-03-04", [2, 3, 3, 2]],
        ["previous", "2024-02-29", [0, 1, 0, 1]],
      ],
    ],
    [
      "takes the days a week before",
      { compareFilter: { compare: true, compare_to: "-3d" } },
      [
        ["current", "2024-03-04", [2, 3, 3, 2]],
        ["previous", "2024-03-01", [1, 0, 1, 2]],
      ],
    ],
    ["takes none when not asked", { compareFilter: { compare: false } }, [["", "2024-03-04", [2, 3, 3, 2]]]],
  ],
)

/** At 58 and 59 seconds, the next minute, the next hour, and in two other quarters. */
const MOMENTS = [
  event("ann", "tick", "04 09:00:58"),
  event("bob", "tick", "04 09:00:59"),
  event("bob", "tick", "04 09:00:59"),
  event("ann", "tick", "04 09:01:00"),
  event("ann", "tick", "04 10:00:00"),
  { ...event("ann", "tick", "04"), at: "2024-04-01T00:00:00Z" },
  { ...event("cid", "tick", "04"), at: "2023-12-31T23:59:59Z" },
]

world.group<Line[]>(
  "an interval of a trend",
  {
    events: MOMENTS,
    query: { kind: "TrendsQuery", ...series("tick") },
    show: ([line]) => [line?.days ?? [], line?.data ?? []],
  },
  [
    [
      "is a second",
      {
        interval: "second",
        dateRange: { date_from: "2024-03-04T09:00:57", date_to: "2024-03-04T09:01:00", explicitDate: true },
      },
      [
        ["2024-03-04 09:00:57", "2024-03-04 09:00:58", "2024-03-04 09:00:59", "2024-03-04 09:01:00"],
        [0, 1, 2, 1],
      ],
    ],
    [
      "is a minute",
      { interval: "minute", dateRange: { date_from: "2024-03-04T09:00:00", date_to: "2024-03-04T09:01:30" } },
      [
        ["2024-03-04 09:00:00", "2024-03-04 09:01:00"],
        [3, 1],
      ],
    ],
    [
      "is an hour",
      { interval: "hour", dateRange: { date_from: "2024-03-04T09:00:00", date_to: "2024-03-04T10:30:00" } },
      [
        ["2024-03-04 09:00:00", "2024-03-04 10:00:00"],
        [4, 1],
      ],
    ],
    [
      "is a week from Sunday",
      { interval: "week", dateRange: { date_from: "2024-02-25", date_to: "2024-03-09" } },
      [
        ["2024-02-25", "2024-03-03"],
        [0, 5],
      ],
    ],
    [
      "is a month",
      { interval: "month", dateRange: { date_from: "2024-03-01", date_to: "2024-04-10" } },
      [
        ["2024-03-01", "2024-04-01"],
        [5, 1],
      ],
    ],
    [
      "is a quarter, the first one as a whole",
      { interval: "quarter", dateRange: { date_from: "2023-12-01", date_to: "2024-04-10" } },
      [
        ["2023-10-01", "2024-01-01", "2024-04-01"],
        [1, 5, 1],
      ],
    ],
    [
      "counts persons of seven days before each second",
      {
        ...series("tick", { math: "weekly_active" }),
        interval: "second",
        dateRange: { date_from: "2024-03-04T09:00:57", date_to: "2024-03-04T09:00:59", explicitDate: true },
      },
      [
        ["2024-03-04 09:00:57", "2024-03-04 09:00:58", "2024-03-04 09:00:59"],
        [0, 1, 2],
      ],
    ],
    [
      "counts persons of a quarter once",
      {
        ...series("tick", { math: "monthly_active" }),
        interval: "quarter",
        dateRange: { date_from: "2024-01-01", date_to: "2024-04-10" },
      },
      [
        ["2024-01-01", "2024-04-01"],
        [2, 1],
      ],
    ],
  ],
)

const page = (actor: string, url: string | null, more: Record<string, Json> = {}) =>
  event(actor, "view", "04", { ...(url !== null && { url }), ...more })
const PAGES = [
  page("ann", "https://a.test/shop/", { seats: 1 }),
  page("ann", "https://a.test/shop?", { seats: 2 }),
  page("bob", "https://a.test/shop", { seats: 3 }),
  page("bob", "https://a.test/shop?q=1", { seats: 4 }),
  page("cid", "/?#"),
  page("cid", ""),
  page("cid", null),
]
const by = (property: string, more: JsonObject = {}) => ({ breakdownFilter: { breakdown: property, ...more } })

world.group<Line[]>(
  "a trend broken down",
  {
    events: PAGES,
    persons: { ann: { team: "red" }, bob: { team: "blue" } },
    query: {
      kind: "TrendsQuery",
      dateRange: { date_from: "2024-03-04", date_to: "2024-03-04" },
      ...series("view"),
      trendsFilter: { display: "ActionsTable" },
    },
    show: showLabelled,
    options: {
      pathCleaning: [
        { regex: "^https://[^/]+", alias: "" },
        { regex: "^/$", alias: "" },
      ],
    },
  },
  [
    [
      "shows values as they are",
      by("url"),
      [
        ["None (i.e. no value)", 2],
        ["/?#", 1],
        ["https://a.test/shop", 1],
        ["https://a.test/shop/", 1],
        ["https://a.test/shop?", 1],
        ["https://a.test/shop?q=1", 1],
      ],
    ],
    [
      "shows addresses without signs at their end",
      by("url", { breakdown_normalize_url: true }),
      [
        ["https://a.test/shop", 3],
        ["None (i.e. no value)", 2],
        ["/", 1],
        ["https://a.test/shop?q=1", 1],
      ],
    ],
    [
      "shows addresses by the project's rules, of which nothing may be left",
      by("url", { breakdown_normalize_url: true, breakdown_path_cleaning: true }),
      [
        ["None (i.e. no value)", 3],
        ["/shop", 3],
        ["/shop?q=1", 1],
      ],
    ],
    [
      "shows several values so",
      {
        breakdownFilter: {
          breakdowns: [{ property: "url", normalize_url: true }, { property: "seats" }],
          breakdown_path_cleaning: true,
          breakdown_limit: 2,
        },
      },
      [
        ["None (i.e. no value)::None (i.e. no value)", 3],
        ["/shop::1", 1],
        ["Other (i.e. all remaining values)", 3],
      ],
    ],
    [
      "shows one of several values so",
      {
        breakdownFilter: {
          breakdowns: [
            { property: "url", normalize_url: true },
            { property: "team", type: "person" },
          ],
          breakdown_limit: 2,
        },
      },
      [
        ["None (i.e. no value)::None (i.e. no value)", 2],
        ["https://a.test/shop::red", 2],
        ["Other (i.e. all remaining values)", 3],
      ],
    ],
    [
      "shows few values and all others as one",
      by("team", { breakdown_type: "person", breakdown_limit: 1 }),
      [
        ["None (i.e. no value)", 3],
        ["Other (i.e. all remaining values)", 4],
      ],
    ],
    [
      "hides all others",
      by("team", { breakdown_type: "person", breakdown_limit: 1, breakdown_hide_other_aggregation: true }),
      [["None (i.e. no value)", 3]],
    ],
    [
      "shows bins of numbers",
      { ...by("seats", { breakdown_histogram_bin_count: 2 }), properties: [where("seats", null, "is_set")] },
      [
        ["[1,2.5]", 2],
        ["[2.5,4.01]", 2],
      ],
    ],
    [
      "shows what an expression gives",
      by("distinct_id = 'ann'", { breakdown_type: "hogql" }),
      [
        ["0", 5],
        ["1", 2],
      ],
    ],
    [
      "shows persons by a value",
      { ...by("team", { breakdown_type: "person" }), ...series("view", { math: "dau" }) },
      [
        ["None (i.e. no value)", 1],
        ["blue", 1],
        ["red", 1],
      ],
    ],
  ],
)

const release = (version: Json) => event("ann", "run", "04", { version })
world.group<Line[]>(
  "versions in a filter",
  {
    events: [
      "1.2.3",
      "v1.2.9",
      "1.3.0",
      "1.10.0",
      "2.0.0",
      "1.2.3-beta.2",
      "1.2.3-beta.11",
      "0.2.5",
      "1.2",
      "nightly",
    ].map(release),
    query: {
      kind: "TrendsQuery",
      dateRange: { date_from: "2024-03-04", date_to: "2024-03-04" },
      ...series("run"),
      ...by("version"),
      trendsFilter: { display: "ActionsTable" },
    },
    show: (lines) => lines.map(({ label }) => label).sort(),
  },
  (
    [
      ["semver_eq", "1.2.3", ["1.2.3"]],
      ["semver_eq", "1.2.0", ["1.2"]],
      ["semver_neq", "1.2.3", ["0.2.5", "1.10.0", "1.2", "1.2.3-beta.11", "1.2.3-beta.2", "1.3.0", "2.0.0", "v1.2.9"]],
      ["semver_gt", "1.2.9", ["1.10.0", "1.3.0", "2.0.0"]],
      ["semver_gte", "v1.3", ["1.10.0", "1.3.0", "2.0.0"]],
      ["semver_lt", "1.2.3", ["0.2.5", "1.2", "1.2.3-beta.11", "1.2.3-beta.2"]],
      ["semver_lt", "1.2.3-beta.11", ["0.2.5", "1.2", "1.2.3-beta.2"]],
      ["semver_lte", "1.2.3-beta.2", ["0.2.5", "1.2", "1.2.3-beta.2"]],
      ["semver_tilde", "1.2.3", ["1.2.3", "v1.2.9"]],
      ["semver_tilde", "1.2.3-beta.3", ["1.2.3", "1.2.3-beta.11", "v1.2.9"]],
      ["semver_caret", "1.2.3", ["1.10.0", "1.2.3", "1.3.0", "v1.2.9"]],
      ["semver_caret", "0.2.1", ["0.2.5"]],
      ["semver_caret", "0.0.3", []],
      ["semver_wildcard", "1.2.*", ["1.2", "1.2.3", "v1.2.9"]],
      ["semver_wildcard", "1.*", ["1.10.0", "1.2", "1.2.3", "1.3.0", "v1.2.9"]],
      ["semver_wildcard", "*", ["0.2.5", "1.10.0", "1.2", "1.2.3", "1.3.0", "2.0.0", "v1.2.9"]],
    ] as const
  ).map(([operator, value, found]) => [
    `${operator} ${value}`,
    { properties: [where("version", value, operator)] },
    [...found],
  ]),
)

const CHAIN = 'span.label:text="Buy";button.big.red:attr_id="buy"attr__type="submit"text="Buy"'
world.group<Line[]>(
  "what was clicked, and what a flag was",
  {
    events: [
      { ...event("ann", "click", "04", { "$feature/beta": true }), elements: CHAIN },
      { ...event("bob", "click", "05", { "$feature/beta": "blue" }), elements: 'a:attr__href="/x"text="Go"' },
      event("cid", "click", "06", { "$feature/beta": false }),
      event("dan", "click", "07"),
    ],
    query: { kind: "TrendsQuery", dateRange: DATES, ...series("click") },
    show: showData,
  },
  [
    [
      "is found by a selector",
      { properties: [where("selector", "button.red > span", "exact", "element")] },
      [[1, 0, 0, 0]],
    ],
    [
      "is found by one of several selectors",
      { properties: [where("selector", ["#buy", "a"], "exact", "element")] },
      [[1, 1, 0, 0]],
    ],
    [
      "is found by a selector that is not there",
      { properties: [where("selector", "#buy", "is_not", "element")] },
      [[0, 1, 1, 1]],
    ],
    ["is found by a text", { properties: [where("text", "Go", "exact", "element")] }, [[0, 1, 0, 0]]],
    [
      "is found by a flag that was on",
      { properties: [where("beta", true, "flag_evaluates_to", "flag")] },
      [[1, 1, 0, 0]],
    ],
    [
      "is found by a flag that was off",
      { properties: [where("beta", false, "flag_evaluates_to", "flag")] },
      [[0, 0, 1, 0]],
    ],
    ["is found by a variant", { properties: [where("beta", "blue", "flag_evaluates_to", "flag")] }, [[0, 1, 0, 0]]],
  ],
)

world.refuses("a trend", { kind: "TrendsQuery", dateRange: DATES, ...series("open") }, [
  ["math_multiplier has no effect on math total", series("open", { math_multiplier: 2 })],
  ["interval must be one of: second, minute, hour, day, week, month, quarter", { interval: "year" }],
  [
    "breakdown_normalize_url cannot be used with bins",
    by("n", { breakdown_normalize_url: true, breakdown_histogram_bin_count: 3 }),
  ],
  [
    "breakdown_normalize_url has no effect on cohorts",
    by("1", { breakdown_type: "cohort", breakdown_normalize_url: true }),
  ],
  [
    "breakdown_path_cleaning cannot be used with bins",
    by("n", { breakdown_path_cleaning: true, breakdown_histogram_bin_count: 3 }),
  ],
  [
    "breakdown_path_cleaning has no effect on cohorts",
    by("1", { breakdown_type: "cohort", breakdown_path_cleaning: true }),
  ],
  ["'new' is not a version, which semver_gt compares with", { properties: [where("v", "new", "semver_gt")] }],
  ["'1.*.2' is not a version with stars at its end", { properties: [where("v", "1.*.2", "semver_wildcard")] }],
  ["Unknown property operator 'semver_like'", { properties: [where("v", "1.2.3", "semver_like")] }],
  ["Recording filters can be about duration", { properties: [where("mood", 1, "gt", "recording")] }],
  ["A flag filter has the operator flag_evaluates_to", { properties: [where("f", true, "gt", "flag")] }],
  ["A flag filter needs true, false or a variant", { properties: [where("f", 3, "flag_evaluates_to", "flag")] }],
  ["A selector is compared by exact or is_not", { properties: [where("selector", "a", "icontains", "element")] }],
  ["The selector 'a:hover' cannot be read", { properties: [where("selector", "a:hover", "exact", "element")] }],
  [
    "date_from must leave at most 10000 intervals of a second",
    { interval: "second", dateRange: { date_from: "2024-03-04", date_to: "2024-03-04" } },
  ],
])

world.group<Line[]>(
  "math on sessions",
  {
    events: [
      inSession("s1", event("ann", "open", "04 09:00")),
      inSession("s1", event("ann", "open", "04 09:01")),
      inSession("s1", event("ann", "save", "04 09:02")),
      inSession("s2", event("bob", "open", "04 10:00")),
      inSession("s2", event("bob", "close", "04 10:10")),
      inSession("s3", event("bob", "open", "05 10:00")),
    ],
    query: { kind: "TrendsQuery", dateRange: { date_from: "2024-03-04", date_to: "2024-03-05" } },
    show: showData,
  },
  [
    ["counts sessions", series("open", { math: "unique_session" }), [[2, 1]]],
    [
      "averages how long they took, each once",
      series("open", { math: "avg", math_property: "$session_duration" }),
      [[360, 0]],
    ],
    [
      "multiplies how long they took",
      series("open", { math: "sum", math_property: "$session_duration", math_multiplier: 1 / 60 }),
      [[12, 0]],
    ],
    ["takes the longest", series("save", { math: "max", math_property: "$session_duration" }), [[120, 0]]],
    [
      "is broken down by what sessions have",
      { ...series("open", { math: "unique_session" }), ...by("$session_duration", { breakdown_type: "session" }) },
      [
        [0, 1],
        [1, 0],
        [1, 0],
      ],
    ],
  ],
)

world.group<Line[]>(
  "events in sessions that were recorded",
  {
    events: ["long", "short", "unseen"].map((name) => inSession(name, event(name, "open", "04"))),
    recordings: [
      ["long", 100, 3],
      ["short", 10, 7],
    ],
    query: {
      kind: "TrendsQuery",
      dateRange: { date_from: "2024-03-04", date_to: "2024-03-04" },
      ...series("open"),
      ...by("distinct_id", { breakdown_type: "event_metadata" }),
      trendsFilter: { display: "ActionsTable" },
    },
    show: (lines) => lines.map(({ label }) => label).sort(),
  },
  [
    ["are found by how long they took", { properties: [where("duration", 10, "gt", "recording")] }, ["long"]],
    [
      "are found by how long somebody was active",
      { properties: [where("active_seconds", 50, "lt", "recording")] },
      ["short"],
    ],
    ["are found by clicks", { properties: [where("click_count", 3, "gte", "recording")] }, ["long", "short"]],
    [
      "are found by clicks and by time",
      { properties: [where("click_count", 3, "gt", "recording"), where("duration", 5, "gt", "recording")] },
      ["short"],
    ],
  ],
)
