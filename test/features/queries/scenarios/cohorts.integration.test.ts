import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { event, namePersons, type Scenario, ScenarioWorld } from "./scenario-world.js"

/** It is noon of 15 March 2024. */
const EVENTS = [
  // Opens daily from the 8th to the 14th, twice on the 9th, and saved once, long ago.
  event("ann", "save", "01"),
  ...["08", "09", "10", "11", "12", "13", "14"].map((day) => event("ann", "open", day, { plan: "pro" })),
  event("ann", "open", "09 18:00", { plan: "free" }),
  // Opens on the first days, comes back today, and saves half an hour after.
  event("bob", "open", "02", { plan: "free" }),
  event("bob", "open", "03", { plan: "pro" }),
  event("bob", "open", "15 09:00", { plan: "free" }),
  event("bob", "save", "15 09:30"),
  // Saves first, then opens, for the first time, at one moment with a look.
  event("cid", "save", "12 10:00"),
  event("cid", "open", "12 11:00", { plan: "free" }),
  event("cid", "look", "12 11:00"),
  // Opened once, so long ago that most distances do not lead there.
  { ...event("dan", "open", "01"), at: "2023-01-10T12:00:00Z" },
  event("eve", "look", "14 23:59:59"),
]
const ACTIONS = [
  { id: 4, name: "Opened or saved", steps: [{ event: "open" }, { event: "save" }] },
  {
    id: 5,
    name: "Opened on free",
    steps: [{ event: "open", properties: [{ key: "plan", value: "free", operator: "exact", type: "event" }] }],
  },
]
const ACTORS = ["ann", "bob", "cid", "dan", "eve"]

const did = (value: string, key: string | number, more: JsonObject): JsonObject => ({
  type: "behavioral",
  value,
  key,
  event_type: typeof key === "number" ? "actions" : "events",
  ...more,
})
const last = (count: number, interval: string) => ({ time_value: count, time_interval: interval })
const recent = (count: number, interval: string) => ({ seq_time_value: count, seq_time_interval: interval })
const plan = (value: string) => ({
  event_filters: [{ key: "plan", value, operator: "exact", type: "event" }],
})
const times = (operator: string | null, count: number | string) => ({ operator, operator_value: count })
const then = (name: string | number, count: number, interval: string) => ({
  seq_event: name,
  seq_event_type: typeof name === "number" ? "actions" : "events",
  ...recent(count, interval),
})
const of = (...values: JsonObject[]) => ({ type: "AND", values })
const any = (...values: JsonObject[]) => ({ type: "OR", values })

/** Conditions of a cohort, and who is in it. */
const CASES: readonly (readonly [name: string, condition: JsonObject, persons: string])[] = [
  ["performed an event in the last days", of(did("performed_event", "open", last(7, "day"))), "ann bob cid"],
  ["counts from the beginning of the day that long ago", of(did("performed_event", "look", last(1, "day"))), "eve"],
  ["counts the hours of today exactly", of(did("performed_event", "open", last(2, "hour"))), ""],
  ["counts minutes exactly", of(did("performed_event", "save", last(150, "minute"))), "bob"],
  ["performed it in the last weeks", of(did("performed_event", "save", last(2, "week"))), "ann bob cid"],
  ["performed it in the last months", of(did("performed_event", "open", last(12, "month"))), "ann bob cid"],
  ["performed it in the last years", of(did("performed_event", "open", last(2, "year"))), "ann bob cid dan"],
  [
    "has a distance that is text",
    of(did("performed_event", "look", { time_value: "3", time_interval: "day" })),
    "cid eve",
  ],
  ["performed an action", of(did("performed_event", 4, last(3, "day"))), "ann bob cid"],
  [
    "performed an action whose number is text",
    of(did("performed_event", "5", { ...last(3, "day"), event_type: "actions" })),
    "bob cid",
  ],
  ["did not perform it", of(did("performed_event", "open", { ...last(7, "day"), negation: true })), "dan eve"],
  [
    "performed it with a property",
    of(did("performed_event", "open", { ...last(7, "day"), ...plan("free") })),
    "ann bob cid",
  ],
  ["performed it with another", of(did("performed_event", "open", { ...last(1, "week"), ...plan("pro") })), "ann"],
  ["performed it since a date", of(did("performed_event", "open", { explicit_datetime: "2024-03-15" })), "bob"],
  [
    "performed it up to the end of a day",
    of(did("performed_event", "open", { explicit_datetime: "2024-03-01", explicit_datetime_to: "2024-03-02" })),
    "bob",
  ],
  [
    "performed it between two distances",
    of(did("performed_event", "open", { explicit_datetime: "-4d", explicit_datetime_to: "-3d" })),
    "ann cid",
  ],
  ["performed it ever", of(did("performed_event", "open", { explicit_datetime: "all" })), "ann bob cid dan"],
  [
    "performed it a number of times",
    of(did("performed_event_multiple", "open", { ...last(7, "day"), ...times("exact", 1) })),
    "bob cid",
  ],
  [
    "performed it so often unless it is said otherwise",
    of(did("performed_event_multiple", "open", { ...last(7, "day"), ...times(null, "8") })),
    "ann",
  ],
  [
    "performed it at least so often",
    of(did("performed_event_multiple", "open", { ...last(30, "day"), ...times("gte", 3) })),
    "ann bob",
  ],
  [
    "performed it more often",
    of(did("performed_event_multiple", "open", { ...last(30, "day"), ...times("gt", 3) })),
    "ann",
  ],
  [
    "performed it at most so often, but once",
    of(did("performed_event_multiple", "open", { ...last(30, "day"), ...times("lte", 3) })),
    "bob cid",
  ],
  [
    "performed it less often, but once",
    of(did("performed_event_multiple", 4, { ...last(30, "day"), ...times("lt", 4) })),
    "cid",
  ],
  ["performed it for the first time", of(did("performed_event_first_time", "open", last(7, "day"))), "ann cid"],
  [
    "counts a first time only if it fits the filters",
    of(did("performed_event_first_time", "open", { ...last(7, "day"), ...plan("free") })),
    "cid",
  ],
  ["performed an action for the first time", of(did("performed_event_first_time", 4, last(7, "day"))), "cid"],
  [
    "performed one event after another",
    of(did("performed_event_sequence", "open", { ...last(30, "day"), ...then("save", 1, "hour") })),
    "bob",
  ],
  [
    "performed it after another in time",
    of(did("performed_event_sequence", "open", { ...last(30, "day"), ...then("save", 29, "minute") })),
    "",
  ],
  [
    "performed it again",
    of(did("performed_event_sequence", "open", { ...last(30, "day"), ...then("open", 6, "hour") })),
    "ann",
  ],
  [
    "performed it after what it wants of the first",
    of(did("performed_event_sequence", "open", { ...last(30, "day"), ...plan("pro"), ...then("open", 1, "day") })),
    "ann",
  ],
  [
    "performed an action after another",
    of(did("performed_event_sequence", "save", { ...last(30, "day"), ...then(5, 1, "hour") })),
    "cid",
  ],
  [
    "performed it regularly",
    of(
      did("performed_event_regularly", "open", {
        ...last(1, "day"),
        ...times("gte", 1),
        min_periods: 5,
        total_periods: 6,
      }),
    ),
    "ann",
  ],
  [
    "performed it so often in each of some days before today",
    of(
      did("performed_event_regularly", "open", {
        ...last(1, "day"),
        ...times("exact", 1),
        min_periods: 1,
        total_periods: 3,
      }),
    ),
    "ann cid",
  ],
  [
    "never counts a period without it",
    of(
      did("performed_event_regularly", "open", {
        ...last(1, "week"),
        ...times("lte", 2),
        min_periods: 1,
        total_periods: 2,
      }),
    ),
    "bob cid",
  ],
  [
    "stopped performing it",
    of(did("stopped_performing_event", "open", { ...last(30, "day"), ...recent(1, "day") })),
    "cid",
  ],
  [
    "restarted performing it",
    of(did("restarted_performing_event", "open", { ...last(7, "day"), ...recent(1, "day") })),
    "bob",
  ],
  [
    "did one of two things",
    any(did("performed_event", "look", last(1, "day")), did("performed_event", "save", last(1, "day"))),
    "bob eve",
  ],
  [
    "did one thing and not another",
    of(
      did("performed_event", "save", last(30, "day")),
      did("performed_event", 5, { ...last(3, "day"), negation: true }),
    ),
    "ann",
  ],
  [
    "is a person of a kind that did something",
    of({ type: "person", key: "paid", value: "yes" }, did("performed_event", "open", last(30, "day"))),
    "bob",
  ],
]
const OF_COHORTS: typeof CASES = [
  [
    "is in a cohort of what persons did",
    of({ type: "cohort", key: "id", value: 1 }, { type: "person", key: "paid", value: "yes" }),
    "bob",
  ],
  ["is in no cohort of what persons did", of({ type: "cohort", key: "id", value: 1, negation: true }), "dan eve"],
]
const ALL = [...CASES, ...OF_COHORTS]
const COHORTS = ALL.map(([name, properties], index) => ({
  id: index + 1,
  name,
  isStatic: false,
  filters: { properties },
}))

const world = new ScenarioWorld(ACTIONS, COHORTS)
const setting = {
  events: EVENTS,
  persons: { bob: { paid: "yes" }, eve: { paid: "yes" } },
  query: { kind: "HogQLQuery" },
}

world.group<Json[][]>(
  "a person of a cohort",
  {
    ...setting,
    show: (rows) =>
      namePersons(
        rows.map(([id = null]) => id),
        ACTORS,
      )
        .sort()
        .join(" "),
  },
  ALL.map(
    ([name, , persons], index): Scenario => [
      name,
      { query: `SELECT id FROM persons WHERE id IN COHORT ${index + 1}` },
      persons,
    ],
  ),
)

const DATES = { date_from: "2024-03-08", date_to: "2024-03-15" }
const byCohort = (id: number, more: JsonObject = {}): JsonObject => ({ type: "cohort", key: "id", value: id, ...more })
const opens = { kind: "EventsNode", event: "open" }
/** Cohort 1 has ann, bob and cid, cohort 2 eve. */
world.group<unknown>("cohorts of what persons did", { ...setting, show: (results) => results }, [
  [
    "are rows of cohort_people",
    { query: "SELECT cohort_id, count() FROM cohort_people WHERE cohort_id IN (1, 2) GROUP BY 1 ORDER BY 1" },
    [
      [1, 3],
      [2, 1],
    ],
  ],
  [
    "narrow events in a query",
    { query: "SELECT event, count() FROM events WHERE person_id IN COHORT 2 GROUP BY event" },
    [["look", 1]],
  ],
])
world.group<{ count: number; breakdown_value?: Json }[]>(
  "a trend of cohorts of what persons did",
  {
    ...setting,
    query: { kind: "TrendsQuery", dateRange: DATES, series: [opens] },
    show: (lines) => lines.map(({ count, breakdown_value }) => [breakdown_value ?? "all", count]),
  },
  [
    ["counts events of persons in one", { properties: [byCohort(1)] }, [["all", 10]]],
    ["counts events of persons outside of one", { properties: [byCohort(1, { operator: "not_in" })] }, [["all", 0]]],
    [
      "is told apart by them",
      { breakdownFilter: { breakdown: [1, "all"], breakdown_type: "cohort" } },
      [
        [1, 10],
        ["all", 10],
      ],
    ],
  ],
)
