import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { event, namePersons, ScenarioWorld } from "./scenario-world.js"

const world = new ScenarioWorld()
const of = (name: string | null, more: JsonObject = {}) => ({ kind: "EventsNode", event: name, ...more })
const entity = (id: string, properties: Json = []) => ({ id, type: "events", properties })
const where = (key: string, value: Json) => ({ key, value, operator: "exact", type: "event" })
const TO_THE_SIXTH = { date_to: "2024-03-06" }

interface Row {
  readonly values: readonly { count: number; aggregation_value?: number }[]
}
const showTriangle = (rows: readonly Row[]) => rows.map(({ values }) => values.map(({ count }) => count))
const retention = (more: JsonObject = {}) => ({
  retentionFilter: {
    period: "Day",
    totalIntervals: 3,
    targetEntity: entity("open"),
    returningEntity: entity("open"),
    ...more,
  },
})

/** Ann opens on three days, bob on the first and the last, cid opened long before and pays. */
const USE = [
  ...["04", "05", "06"].map((day) => event("ann", "open", day, { plan: "pro", n: 2 })),
  event("ann", "open", "05 13:00", { plan: "pro", n: 3 }),
  event("bob", "open", "04", { plan: "free", n: 10 }),
  event("bob", "open", "06", { plan: "pro", n: 20 }),
  event("cid", "open", "01", { plan: "free" }),
  event("cid", "open", "05", { plan: "pro", n: 7 }),
  event("cid", "pay", "05 14:00", { n: 100 }),
  event("cid", "pay", "06", { n: 300 }),
  event("dan", "pay", "06"),
]

world.group<Row[]>(
  "a retention",
  { events: USE, query: { kind: "RetentionQuery", dateRange: TO_THE_SIXTH, ...retention() }, show: showTriangle },
  [
    ["counts who comes back", {}, [[2, 1, 2], [2, 1], [2]]],
    [
      "counts only who began for the first time",
      retention({ retentionType: "retention_first_time" }),
      [[2, 1, 2], [0, 0], [0]],
    ],
    [
      "counts first times that fit, whatever came before",
      retention({ retentionType: "retention_first_time", targetEntity: entity("open", [where("plan", "pro")]) }),
      [[1, 1, 1], [1, 0], [1]],
    ],
    [
      "counts first times ever that fit",
      retention({
        retentionType: "retention_first_ever_occurrence",
        targetEntity: entity("open", [where("plan", "pro")]),
      }),
      [[1, 1, 1], [0, 0], [0]],
    ],
    [
      "counts first times ever that fit in windows of 24 hours",
      retention({
        retentionType: "retention_first_ever_occurrence",
        timeWindowMode: "24_hour_windows",
        targetEntity: entity("open", [where("plan", "pro")]),
      }),
      [[1, 1, 1], [0, 0], [0]],
    ],
    [
      "counts all first times ever without filters",
      retention({ retentionType: "retention_first_ever_occurrence" }),
      [[2, 1, 2], [0, 0], [0]],
    ],
    [
      "counts who comes back to something else",
      retention({ returningEntity: entity("pay") }),
      [[2, 0, 0], [2, 1], [2]],
    ],
    ["adds later returns to earlier days", retention({ cumulative: true }), [[2, 2, 2], [2, 1], [2]]],
    ["wants several returns a day", retention({ minimumOccurrences: 2 }), [[2, 1, 0], [2, 0], [2]]],
    ["puts days together", retention({ retentionCustomBrackets: [2] }), [[2, 2], [2, 1], [2]]],
    ["is filtered as a whole", { properties: [where("plan", "pro")] }, [[1, 1, 1], [2, 1], [2]]],
    ["counts weeks", retention({ period: "Week", totalIntervals: 2 }), [[1, 1], [3]]],
  ],
)

world.group<Row[]>(
  "a retention of sums",
  {
    events: USE,
    query: { kind: "RetentionQuery", dateRange: TO_THE_SIXTH },
    show: (rows) => rows.map(({ values }) => values.map(({ count, aggregation_value: value }) => [count, value])),
  },
  [
    [
      "adds a property of each day up",
      retention({ aggregationType: "sum", aggregationProperty: "n" }),
      [
        [
          [2, 12],
          [1, 5],
          [2, 22],
        ],
        [
          [2, 12],
          [1, 2],
        ],
        [[2, 22]],
      ],
    ],
    [
      "averages what each person has",
      retention({ aggregationType: "avg", aggregationProperty: "n" }),
      [
        [
          [2, 6],
          [1, 5],
          [2, 11],
        ],
        [
          [2, 6],
          [1, 2],
        ],
        [[2, 11]],
      ],
    ],
    [
      "takes what was returned to, behind the first day",
      retention({ aggregationType: "sum", aggregationProperty: "n", returningEntity: entity("pay") }),
      [
        [
          [2, 12],
          [0, 0],
          [0, 0],
        ],
        [
          [2, 12],
          [1, 300],
        ],
        [[2, 22]],
      ],
    ],
    [
      "begins with first times",
      retention({ aggregationType: "sum", aggregationProperty: "n", retentionType: "retention_first_time" }),
      [
        [
          [2, 12],
          [1, 5],
          [2, 22],
        ],
        [
          [0, 0],
          [0, 0],
        ],
        [[0, 0]],
      ],
    ],
    [
      "begins with first times ever that fit",
      retention({
        aggregationType: "sum",
        aggregationProperty: "n",
        retentionType: "retention_first_ever_occurrence",
        targetEntity: entity("open", [where("plan", "pro")]),
      }),
      [
        [
          [1, 2],
          [1, 5],
          [1, 2],
        ],
        [
          [0, 0],
          [0, 0],
        ],
        [[0, 0]],
      ],
    ],
  ],
)

const ACTORS = ["ann", "bob", "cid", "dan"]
const showActors = (rows: readonly (readonly Json[])[]) =>
  namePersons(
    rows.map(([id = null]) => id),
    ACTORS,
  ).sort()

world.group<Json[][]>(
  "persons behind a retention",
  {
    events: USE,
    query: {
      kind: "InsightActorsQuery",
      source: {
        kind: "RetentionQuery",
        dateRange: TO_THE_SIXTH,
        ...retention({
          retentionType: "retention_first_ever_occurrence",
          targetEntity: entity("open", [where("plan", "pro")]),
        }),
      },
    },
    show: showActors,
  },
  [
    ["are those who began", { interval: 0 }, ["ann"]],
    ["are none where nobody began", { interval: 1 }, []],
  ],
)

world.refuses("a retention", { kind: "RetentionQuery" }, [
  ["aggregationProperty is required", retention({ aggregationType: "sum" })],
  ["aggregationProperty has no effect", retention({ aggregationProperty: "n" })],
  [
    "cumulative cannot be used with aggregationType sum",
    retention({ aggregationType: "sum", aggregationProperty: "n", cumulative: true }),
  ],
  [
    "breakdownFilter cannot be used with aggregationType",
    { ...retention({ aggregationType: "avg", aggregationProperty: "n" }), breakdownFilter: { breakdown: "plan" } },
  ],
  ["aggregationType must be one of: count, sum, avg", retention({ aggregationType: "max" })],
])

interface StatusLine {
  readonly status: string
  readonly data: readonly number[]
}
world.group<StatusLine[]>(
  "a lifecycle",
  {
    events: [
      ...["01", "04", "05"].map((day) => event("ann", "open", day)),
      event("bob", "open", "05", { plan: "pro" }),
      event("bob", "open", "07", { plan: "pro" }),
      event("cid", "close", "04"),
    ],
    query: {
      kind: "LifecycleQuery",
      dateRange: { date_from: "2024-03-04", date_to: "2024-03-07" },
      series: [of("open")],
    },
    show: (lines) => Object.fromEntries(lines.map(({ status, data }) => [status, data])),
  },
  [
    [
      "tells who is new, stays, comes back and is gone",
      {},
      { new: [0, 1, 0, 0], returning: [0, 1, 0, 0], resurrecting: [1, 0, 0, 1], dormant: [0, 0, -2, 0] },
    ],
    [
      "is filtered",
      { series: [of("open", { properties: [where("plan", "pro")] })] },
      { new: [0, 1, 0, 0], returning: [0, 0, 0, 0], resurrecting: [0, 0, 0, 1], dormant: [0, 0, -1, 0] },
    ],
    ["counts quarters", { interval: "quarter" }, { new: [2], returning: [0], resurrecting: [0], dormant: [0] }],
  ],
)

interface StickyLine {
  readonly data: readonly number[]
  readonly labels: readonly string[]
}
world.group<StickyLine[]>(
  "a stickiness",
  {
    events: USE,
    query: {
      kind: "StickinessQuery",
      dateRange: { date_from: "2024-03-04", date_to: "2024-03-06" },
      series: [of("open")],
    },
    show: (lines) => lines.map(({ data }) => data),
  },
  [
    ["counts on how many days persons are there", {}, [[1, 1, 1]]],
    ["counts at least so many", { stickinessFilter: { computedAs: "cumulative" } }, [[3, 2, 1]]],
    [
      "wants several events a day",
      { stickinessFilter: { stickinessCriteria: { operator: "gte", value: 2 } } },
      [[1, 0, 0]],
    ],
    ["counts weeks", { interval: "week", dateRange: { date_from: "2024-02-25", date_to: "2024-03-09" } }, [[2, 1]]],
    [
      "counts quarters",
      { interval: "quarter", dateRange: { date_from: "2023-12-01", date_to: "2024-03-09" } },
      [[3, 0]],
    ],
    [
      "stands beside the time before",
      { compareFilter: { compare: true } },
      [
        [1, 1, 1],
        [1, 0, 0],
      ],
    ],
    [
      "shows several series",
      { series: [of("open"), of("pay")] },
      [
        [1, 1, 1],
        [1, 1, 0],
      ],
    ],
    ["is filtered", { properties: [where("plan", "free")] }, [[1, 0, 0]]],
  ],
)

interface Edge {
  readonly source: string
  readonly target: string
  readonly value: number
}
const showEdges = (edges: readonly Edge[]) =>
  edges.map(({ source, target, value }) => `${source} > ${target} ${value}`).sort()
const walk = (actor: string, ...visits: string[]) =>
  visits.map((visit) => {
    const [name = "", time = ""] = visit.split("@")
    return event(actor, name, `04 ${time}`)
  })
const WAYS = [
  ...walk("ann", "home@09:00", "view@09:05", "help@09:06", "cart@09:10", "pay@09:12", "home@10:00"),
  ...walk("bob", "home@09:00", "view@09:05", "cart@10:00", "chat@10:02"),
  ...walk("cid", "home@09:00", "view@09:01", "chat@09:02"),
  ...walk("dan", "home@09:00"),
]
const paths = (funnelPathType: string, funnelStep: number, names = ["view", "cart"]) => ({
  funnelPathsFilter: {
    funnelPathType,
    funnelStep,
    funnelSource: {
      kind: "FunnelsQuery",
      dateRange: { date_from: "2024-03-04", date_to: "2024-03-04" },
      series: names.map((name) => of(name)),
      funnelsFilter: { funnelWindowInterval: 2, funnelWindowIntervalUnit: "hour" },
    },
  },
})

world.group<Edge[]>(
  "paths",
  {
    events: WAYS,
    query: {
      kind: "PathsQuery",
      dateRange: { date_from: "2024-03-04", date_to: "2024-03-04" },
      pathsFilter: { stepLimit: 3 },
    },
    show: showEdges,
  },
  [
    [
      "go from each step to the next, and begin anew after a pause",
      {},
      ["1_cart > 2_chat 1", "1_home > 2_view 3", "2_view > 3_chat 1", "2_view > 3_help 1"],
    ],
    ["begin at a step", { pathsFilter: { startPoint: "cart" } }, ["1_cart > 2_chat 1", "1_cart > 2_pay 1"]],
    ["end at a step", { pathsFilter: { endPoint: "help", stepLimit: 2 } }, ["1_view > 2_help 1"]],
    [
      "leave out steps",
      { pathsFilter: { excludeEvents: ["view", "help"], stepLimit: 2 } },
      ["1_cart > 2_chat 1", "1_home > 2_cart 1", "1_home > 2_chat 1"],
    ],
    ["are few", { pathsFilter: { edgeLimit: 1 } }, ["1_home > 2_view 3"]],
    ["are cut to those of many", { pathsFilter: { minEdgeWeight: 2 } }, ["1_home > 2_view 3"]],
    ["lead on from a step of a funnel", paths("funnel_path_after_step", 2), ["1_cart > 2_chat 1", "1_cart > 2_pay 1"]],
    ["lead to a step of a funnel", paths("funnel_path_before_step", 2), ["1_home > 2_view 2", "2_view > 3_help 1"]],
    [
      "lead from one step of a funnel to the next, over pauses",
      paths("funnel_path_between_steps", 2),
      ["1_view > 2_cart 1", "1_view > 2_help 1", "2_help > 3_cart 1"],
    ],
    ["lead on from where a funnel was left", paths("funnel_path_after_step", -2), ["1_view > 2_chat 1"]],
    [
      "lead to where a funnel was left, and on for its time",
      paths("funnel_path_before_step", -2),
      ["1_home > 2_view 1", "2_view > 3_chat 1"],
    ],
  ],
)

world.group<Json[][]>(
  "persons behind paths of a funnel",
  {
    events: WAYS,
    query: {
      kind: "InsightActorsQuery",
      source: {
        kind: "PathsQuery",
        dateRange: { date_from: "2024-03-04", date_to: "2024-03-04" },
        pathsFilter: { pathStartKey: "1_cart" },
        ...paths("funnel_path_after_step", 2),
      },
    },
    show: showActors,
  },
  [["are those who went on", {}, ["ann", "bob"]]],
)

const plain = { kind: "PathsQuery", dateRange: { date_from: "2024-03-04" } }
world.refuses("paths", plain, [
  ["funnelStep must be 2 to 2", paths("funnel_path_between_steps", 1)],
  ["funnelStep must be 1 to 2, or -2 to -2", paths("funnel_path_after_step", 0)],
  ["funnelPathType must be one of: funnel_path_before_step", paths("funnel_path", 1)],
  ["funnelSource.kind is required", { funnelPathsFilter: { funnelSource: {}, funnelStep: 1 } }],
  [
    "funnelSource.serie is not known",
    { funnelPathsFilter: { funnelSource: { kind: "FunnelsQuery", serie: [] }, funnelStep: 1 } },
  ],
  ["funnelPathsFilter.funnelSteps is not known", { funnelPathsFilter: { funnelSteps: 1 } }],
])
