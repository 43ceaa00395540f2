import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { event, namePersons, ScenarioWorld } from "./scenario-world.js"

const world = new ScenarioWorld([{ id: 8, name: "Left", steps: [{ event: "leave" }] }])
const DATES = { date_from: "2024-03-04", date_to: "2024-03-08" }

interface Step {
  readonly count: number
  readonly average_conversion_time: number | null
  readonly compare_label?: string
  readonly breakdown_value?: Json
}
const showCounts = (steps: readonly Step[]) => steps.map(({ count }) => count)
const showLists = (lists: readonly (readonly Step[])[]) =>
  lists.map((steps) => [steps[0]?.compare_label ?? steps[0]?.breakdown_value ?? null, showCounts(steps)])
const of = (name: string | null, more: JsonObject = {}) => ({ kind: "EventsNode", event: name, ...more })
const steps = (...names: string[]) => ({ series: names.map((name) => of(name)) })
const filter = (funnelsFilter: JsonObject) => ({ funnelsFilter })
const where = (key: string, value: Json) => ({ key, value, operator: "exact", type: "event" })

/** Ann comes through, bob leaves between, cid comes through backwards, dan starts twice, eve is late. */
const SHOP = [
  event("ann", "view", "04 09:00", { plan: "pro" }),
  event("ann", "cart", "04 09:10", { plan: "pro" }),
  event("ann", "buy", "04 09:30", { plan: "max" }),
  event("bob", "view", "04 10:00", { plan: "free" }),
  event("bob", "leave", "04 10:05"),
  event("bob", "cart", "04 10:10", { plan: "free" }),
  event("cid", "buy", "05 08:00"),
  event("cid", "cart", "05 08:10"),
  event("cid", "view", "05 08:20"),
  event("dan", "view", "05 10:00", { plan: "free" }),
  event("dan", "leave", "05 10:01"),
  event("dan", "view", "05 10:02", { plan: "pro" }),
  event("dan", "cart", "05 10:03", { plan: "pro" }),
  event("eve", "view", "06 10:00"),
  event("eve", "cart", "08 10:00"),
  event("old", "view", "01 10:00"),
  event("old", "cart", "01 11:00"),
]

world.group<Step[]>(
  "a funnel",
  {
    events: SHOP,
    query: { kind: "FunnelsQuery", dateRange: DATES, ...steps("view", "cart", "buy") },
    show: showCounts,
  },
  [
    ["counts who comes to each step in order", {}, [5, 4, 1]],
    ["leaves out who is too late", filter({ funnelWindowInterval: 1 }), [5, 3, 1]],
    ["counts a window in minutes", filter({ funnelWindowInterval: 5, funnelWindowIntervalUnit: "minute" }), [5, 1, 0]],
    ["wants nothing between when strict", filter({ funnelOrderType: "strict" }), [5, 3, 1]],
    ["counts steps in any order", filter({ funnelOrderType: "unordered" }), [5, 5, 2]],
    [
      "ends with an excluded event",
      filter({ exclusions: [of("leave", { funnelFromStep: 0, funnelToStep: 1 })] }),
      [4, 3, 1],
    ],
    [
      "goes on after an excluded event elsewhere",
      filter({ exclusions: [of("leave", { funnelFromStep: 1, funnelToStep: 2 })] }),
      [5, 4, 1],
    ],
    [
      "ends with an excluded event in any order",
      filter({ funnelOrderType: "unordered", exclusions: [of("leave")] }),
      [5, 4, 2],
    ],
    [
      "ends with an event of an excluded action in any order",
      filter({ funnelOrderType: "unordered", exclusions: [{ kind: "ActionsNode", id: 8 }] }),
      [5, 4, 2],
    ],
    [
      "in any order is not ended by what comes before it or after it",
      { ...steps("view", "cart"), ...filter({ funnelOrderType: "unordered", exclusions: [of("buy")] }) },
      [5, 5],
    ],
    [
      "in any order goes on anew after an excluded event",
      { ...steps("buy", "view"), ...filter({ funnelOrderType: "unordered", exclusions: [of("cart")] }) },
      [2, 0],
    ],
    ["takes steps with filters", { series: [of("view", { properties: [where("plan", "free")] }), of("cart")] }, [2, 2]],
    ["is filtered as a whole", { properties: [where("plan", "pro")] }, [2, 2, 0]],
    ["takes an action as a step", { series: [of("view"), { kind: "ActionsNode", id: 8 }] }, [5, 2]],
    ["takes a step twice", steps("view", "view"), [5, 1]],
    ["takes a first time as a step", { series: [of("view", { math: "first_time_for_user" }), of("cart")] }, [5, 4]],
    [
      "takes a first time only if it fits",
      { series: [of("view", { math: "first_time_for_user", properties: [where("plan", "pro")] }), of("cart")] },
      [1, 1],
    ],
    [
      "takes the first time that fits",
      {
        series: [
          of("view", { math: "first_time_for_user_with_filters", properties: [where("plan", "pro")] }),
          of("cart"),
        ],
      },
      [2, 2],
    ],
    ["counts what an expression gives", filter({ funnelAggregateByHogQL: "properties.plan" }), [2, 2, 0]],
  ],
)

world.group<Step[][]>(
  "a funnel told apart",
  {
    events: SHOP,
    query: { kind: "FunnelsQuery", dateRange: DATES, ...steps("view", "cart") },
    show: showLists,
    options: { pathCleaning: [{ regex: "pro|free", alias: "paid" }] },
  },
  [
    [
      "stands beside the days before",
      { compareFilter: { compare: true } },
      [
        ["current", [5, 4]],
        ["previous", [1, 1]],
      ],
    ],
    [
      "stands beside other days",
      { compareFilter: { compare: true, compare_to: "-1d" } },
      [
        ["current", [5, 4]],
        ["previous", [5, 3]],
      ],
    ],
    [
      "is broken down by the first value",
      { breakdownFilter: { breakdown: "plan" } },
      [
        [[""], [2, 1]],
        [["free"], [2, 2]],
        [["pro"], [1, 1]],
      ],
    ],
    [
      "is broken down by values that the project's rules make one",
      { breakdownFilter: { breakdown: "plan", breakdown_path_cleaning: true } },
      [
        [["paid"], [3, 3]],
        [[""], [2, 1]],
      ],
    ],
    [
      "is broken down by the last value",
      { breakdownFilter: { breakdown: "plan" }, ...filter({ breakdownAttributionType: "last_touch" }) },
      [
        [[""], [2, 1]],
        [["pro"], [2, 2]],
        [["free"], [1, 1]],
      ],
    ],
    [
      "is broken down and stands beside the days before",
      { breakdownFilter: { breakdown: "plan" }, compareFilter: { compare: true }, properties: [where("plan", "pro")] },
      [["current", [2, 2]]],
    ],
  ],
)

world.group<{ data: number[]; days: string[]; compare_label?: string }[]>(
  "a funnel over time",
  {
    events: SHOP,
    query: {
      kind: "FunnelsQuery",
      dateRange: { date_from: "2024-03-04", date_to: "2024-03-06" },
      ...steps("view", "cart"),
      ...filter({ funnelVizType: "trends", funnelWindowInterval: 1 }),
    },
    show: (lines) => lines.map(({ data, days, compare_label: label = null }) => [label, days[0], data]),
  },
  [
    ["is the share of those who began on a day", {}, [[null, "2024-03-04", [100, 50, 0]]]],
    [
      "stands beside the time before",
      { compareFilter: { compare: true } },
      [
        ["current", "2024-03-04", [100, 50, 0]],
        ["previous", "2024-03-01", [100, 0, 0]],
      ],
    ],
  ],
)

/** A trial is optional: ann has it, bob does not, cid has it after all, dan has it and stays there. */
const TRIAL = [
  event("ann", "view", "04 09:00"),
  event("ann", "trial", "04 09:10"),
  event("ann", "buy", "04 09:30"),
  event("bob", "view", "04 09:00"),
  event("bob", "buy", "04 09:20"),
  event("cid", "view", "04 09:00"),
  event("cid", "buy", "04 09:10"),
  event("cid", "trial", "04 09:20"),
  event("dan", "view", "04 09:00"),
  event("dan", "trial", "04 09:05"),
  event("eve", "trial", "04 09:05"),
]
const optional = { series: [of("view"), of("trial", { optionalInFunnel: true }), of("buy")] }

world.group<Step[]>(
  "a funnel with optional steps",
  {
    events: TRIAL,
    query: { kind: "FunnelsQuery", dateRange: DATES, ...optional },
    show: (found) => found.map(({ count, average_conversion_time: seconds }) => [count, seconds]),
  },
  [
    [
      "counts who came to them on the way, and who came on without them",
      {},
      [
        [4, null],
        [2, 450],
        [3, 1200],
      ],
    ],
    [
      "counts each of several by itself",
      {
        series: [
          of("view"),
          of("trial", { optionalInFunnel: true }),
          of("demo", { optionalInFunnel: true }),
          of("buy"),
        ],
      },
      [
        [4, null],
        [2, 450],
        [0, null],
        [3, 1200],
      ],
    ],
    [
      "wants them when they are not optional",
      steps("view", "trial", "buy"),
      [
        [4, null],
        [3, 700],
        [1, 1200],
      ],
    ],
  ],
)

const ACTORS = ["ann", "bob", "cid", "dan", "eve"]
const showActors = (rows: readonly (readonly Json[])[]) =>
  namePersons(
    rows.map(([id = null]) => id),
    ACTORS,
  ).sort()

world.group<Json[][]>(
  "persons behind a funnel with optional steps",
  {
    events: TRIAL,
    query: { kind: "FunnelsActorsQuery", source: { kind: "FunnelsQuery", dateRange: DATES, ...optional } },
    show: showActors,
  },
  [
    ["are all who came into it", { funnelStep: 1 }, ["ann", "bob", "cid", "dan"]],
    ["are those who took it", { funnelStep: 2 }, ["ann", "dan"]],
    ["are those who came through, with it or without", { funnelStep: 3 }, ["ann", "bob", "cid"]],
  ],
)

world.group<Json[][]>(
  "persons behind a funnel",
  {
    events: SHOP,
    query: {
      kind: "FunnelsActorsQuery",
      source: {
        kind: "FunnelsQuery",
        dateRange: DATES,
        ...steps("view", "cart", "buy"),
        compareFilter: { compare: true },
      },
    },
    show: (rows) =>
      namePersons(
        rows.map(([id = null]) => id),
        [...ACTORS, "old"],
      ).sort(),
  },
  [
    ["are those who came to a step", { funnelStep: 2 }, ["ann", "bob", "dan", "eve"]],
    ["are those who left before a step", { funnelStep: -3 }, ["bob", "dan", "eve"]],
    ["are those who came to some steps and no further", { funnelCustomSteps: [1, 3] }, ["ann", "cid"]],
    ["are those of the days before", { funnelStep: 1, compare: "previous" }, ["old"]],
    [
      "are those who were not ended by an excluded event in any order",
      {
        funnelStep: 2,
        source: {
          kind: "FunnelsQuery",
          dateRange: DATES,
          ...steps("view", "cart", "buy"),
          ...filter({ funnelOrderType: "unordered", exclusions: [of("leave")] }),
        },
      },
      ["ann", "cid", "dan", "eve"],
    ],
  ],
)

const funnel = { kind: "FunnelsQuery", dateRange: DATES, ...steps("view", "cart") }
world.refuses("a funnel", funnel, [
  [
    "funnelFromStep cannot be chosen when steps may come in any order",
    {
      ...steps("view", "cart", "buy"),
      ...filter({ funnelOrderType: "unordered", exclusions: [of("x", { funnelToStep: 1 })] }),
    },
  ],
  [
    "compareFilter is not supported for time_to_convert",
    { compareFilter: { compare: true }, ...filter({ funnelVizType: "time_to_convert" }) },
  ],
  [
    "optionalInFunnel cannot be true of the first and the last step",
    { series: [of("a", { optionalInFunnel: true }), of("b")] },
  ],
  ["can have optional steps only in order", { ...optional, ...filter({ funnelOrderType: "strict" }) }],
  ["can have optional steps only in order", { ...optional, breakdownFilter: { breakdown: "plan" } }],
  [
    "needs a comparison in the insight",
    { kind: "FunnelsActorsQuery", dateRange: null, series: null, source: funnel, funnelStep: 1, compare: "previous" },
  ],
  [
    "funnelStep is required in a funnel with optional steps",
    { kind: "FunnelsActorsQuery", dateRange: null, series: null, source: { ...funnel, ...optional }, funnelStep: null },
  ],
  [
    "cannot have optional steps here",
    {
      kind: "FunnelCorrelationQuery",
      dateRange: null,
      series: null,
      source: { kind: "FunnelsActorsQuery", source: { ...funnel, ...optional } },
    },
  ],
])
