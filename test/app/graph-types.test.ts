import "reflect-metadata"
import { describe, expect, test } from "@jest/globals"
import { GraphQLEnumType, GraphQLInputObjectType, GraphQLString } from "graphql"
import { TYPED_PLACES } from "../../src/app/graph-types/typed-places.js"
import type { TypeFinder } from "../../src/transport/graphql/shape/graph-rules.js"

const OPERATORS = new GraphQLEnumType({
  name: "PropertyOperator",
  values: { EXACT: { value: "exact" }, GT: { value: "gt" } },
})
const FILTER = new GraphQLInputObjectType({ name: "PropertyFilterInput", fields: { hogql: { type: GraphQLString } } })
const find: TypeFinder = {
  output: (name) => (name === "PropertyOperator" ? OPERATORS : GraphQLString),
  input: (name) => (name === "PropertyFilterInput" ? FILTER : name === "PropertyOperator" ? OPERATORS : GraphQLString),
  enum: () => OPERATORS,
}
const places = TYPED_PLACES(find)
const show = (path: string, value: unknown) => places[path]?.show?.(value)
const read = (path: string, value: unknown) => places[path]?.read?.(value)

const NOTHING = {
  type: null,
  key: null,
  operator: null,
  value: null,
  groupTypeIndex: null,
  isNegated: false,
  behaviour: null,
}
const ONE = { ...NOTHING, all: null, any: null }

describe("stored filters in the graph", () => {
  test("are trees of all and any, with null for what is not known", () => {
    const values = [
      { type: "person", key: "age", operator: "gt", value: 3, negation: true },
      { type: "AND", values: [{ type: "group", key: "n", operator: "nearly", value: ["a"], group_type_index: 2 }, 7] },
      { type: "weather", key: 5 },
    ]
    const raw = { properties: { type: "OR", values } }
    expect(show("Cohort.filters", raw)).toEqual({
      raw,
      condition: {
        ...NOTHING,
        all: null,
        any: [
          { ...ONE, type: "person", key: "age", operator: "gt", value: 3, isNegated: true },
          { ...NOTHING, any: null, all: [{ ...ONE, type: "group", key: "n", value: ["a"], groupTypeIndex: 2 }] },
          { ...ONE, key: "5" },
        ],
      },
    })
  })

  test.each([[null], [[]], ["text"], [{ groups: "x", multivariate: [], payloads: 3 }]])(
    "of a damaged flag (%j) have nothing but what is stored",
    (raw) => {
      const nothing = { conditions: [], variants: [], payloads: [], groupTypeIndex: null, earlyExit: false }
      expect(show("FeatureFlag.filters", raw)).toEqual({ ...nothing, earlyAccess: null, raw })
    },
  )

  test("of a flag are about persons and the flag's group type unless they say otherwise", () => {
    const groups = [{ properties: [{ key: "a", value: 1 }] }, { aggregation_group_type_index: 1, variant: "b" }]
    expect(show("FeatureFlag.filters", { groups, aggregation_group_type_index: 0, early_exit: true })).toMatchObject({
      conditions: [
        { groupTypeIndex: 0, properties: [{ type: "person", key: "a", value: 1 }] },
        { groupTypeIndex: 1, variant: "b", properties: [] },
      ],
      groupTypeIndex: 0,
      earlyExit: true,
    })
  })

  test("of a playlist are any JSON, older forms among them", () => {
    expect(show("SessionRecordingPlaylist.filters", "old")).toMatchObject({ condition: null, raw: "old" })
    const filter_group = { type: "AND", values: [{ type: "AND", values: [] }] }
    expect(show("SessionRecordingPlaylist.filters", { filter_group, filter_test_accounts: true })).toMatchObject({
      filterTestAccounts: true,
      condition: { all: [{ all: [] }] },
    })
  })
})

describe("what the graph takes", () => {
  test("wins over the form of REST beside it, and is that form where nothing else is given", () => {
    expect(read("FeatureFlagInput.filters", { raw: { groups: [], early_exit: true } })).toEqual({
      groups: [],
      early_exit: true,
    })
    const variants = [{ key: "a", rolloutPercentage: 100 }]
    expect(read("FeatureFlagInput.filters", { raw: { groups: [] }, conditions: [{}], variants })).toEqual({
      groups: [{ properties: [] }],
      multivariate: { variants: [{ key: "a", rollout_percentage: 100 }] },
    })
    expect(read("CohortInput.filters", { raw: "x" })).toBe("x")
    expect(read("CohortInput.filters", { any: [{ hogql: "true" }] })).toEqual({
      properties: { type: "OR", values: [{ type: "hogql", key: "true" }] },
    })
    expect(read("SessionRecordingPlaylistInput.filters", {})).toEqual({})
    expect(read("SessionRecordingPlaylistInput.filters", { raw: { order: "x" }, dateTo: "-1d" })).toEqual({
      order: "x",
      date_to: "-1d",
    })
    expect(read("FlagExplanationInput.groups", [{ type: "company", key: "acme" }])).toEqual({ company: "acme" })
  })

  test("of what persons did is stored as REST has it, and shown as it was given", () => {
    const given = {
      kind: "performed_event_sequence",
      of: { event: "open" },
      followedBy: { action: 5 },
      filters: [{ hogql: "true" }],
      within: { count: 30, unit: "day" },
      recent: { count: 1, unit: "hour" },
    }
    const often = { kind: "performed_event_multiple", of: { action: 4 }, from: "-30d", to: "-1d", times: 2 }
    const regular = {
      kind: "performed_event_regularly",
      of: { event: "open" },
      comparison: "gte",
      times: 1,
      minPeriods: 2,
      totalPeriods: 3,
    }
    const conditions = [{ did: given }, { any: [{ didNot: { ...often, comparison: "lt" } }, { did: regular }] }]
    const stored = read("CohortInput.filters", { all: conditions })
    expect(stored).toEqual({
      properties: {
        type: "AND",
        values: [
          {
            type: "behavioral",
            value: "performed_event_sequence",
            key: "open",
            event_type: "events",
            seq_event: 5,
            seq_event_type: "actions",
            event_filters: [{ type: "hogql", key: "true" }],
            time_value: 30,
            time_interval: "day",
            seq_time_value: 1,
            seq_time_interval: "hour",
          },
          {
            type: "OR",
            values: [
              {
                type: "behavioral",
                value: "performed_event_multiple",
                key: 4,
                event_type: "actions",
                explicit_datetime: "-30d",
                explicit_datetime_to: "-1d",
                operator: "lt",
                operator_value: 2,
                negation: true,
              },
              {
                type: "behavioral",
                value: "performed_event_regularly",
                key: "open",
                event_type: "events",
                operator: "gte",
                operator_value: 1,
                min_periods: 2,
                total_periods: 3,
              },
            ],
          },
        ],
      },
    })
    const shown = show("Cohort.filters", stored)
    expect(shown).toMatchObject({
      condition: {
        all: [
          {
            type: "behavioral",
            isNegated: false,
            behaviour: {
              ...given,
              of: { event: "open", action: null },
              followedBy: { event: null, action: 5 },
              filters: [{ type: "hogql", key: "true" }],
            },
          },
          {
            any: [
              { isNegated: true, behaviour: { ...often, of: { event: null, action: 4 }, comparison: "lt" } },
              { behaviour: { ...regular, of: { event: "open", action: null } } },
            ],
          },
        ],
      },
    })
  })

  test("of what persons did that is not known is shown as null", () => {
    const leaf = {
      type: "behavioral",
      value: "performed_event_never",
      operator: "eq",
      time_value: "7",
      time_interval: "age",
    }
    expect(show("Cohort.filters", { properties: { type: "AND", values: [leaf] } })).toMatchObject({
      condition: { all: [{ behaviour: { kind: null, of: null, within: null, comparison: "exact", filters: [] } }] },
    })
  })

  test("removes settings by null, and hands on what is none", () => {
    expect(read("Mutation.updateProject.settings", { anonymizeIps: null, testAccountFilters: null })).toEqual({
      anonymize_ips: null,
      test_account_filters: null,
    })
    expect(read("Mutation.updateProject.settings", { raw: [1] })).toEqual([1])
  })

  test("has what a project has used up as a list, which is an object by resource elsewhere", () => {
    const until = new Date("2026-12-01T00:00:00Z")
    const stored = { recordings: "2026-12-01T00:00:00.000Z" }
    const quotaLimits = [{ resource: "recordings", until }]
    expect(read("Mutation.updateProject.settings", { quotaLimits })).toEqual({ quota_limits: stored })
    expect(read("Mutation.updateProject.settings", { quotaLimits: null })).toEqual({ quota_limits: null })
    expect(show("Project.settings", { quota_limits: { ...stored, weather: "x", surveys: 1 } })).toMatchObject({
      quotaLimits,
    })
    expect(show("Project.settings", { quota_limits: [] })).toMatchObject({ quotaLimits: null })
  })
})

describe("words of another release", () => {
  test("are OTHER, so that an entry of a log is never lost", () => {
    expect(["created", "key created", "painted"].map((word) => show("Activity.activity", word))).toEqual([
      "created",
      "key created",
      "other",
    ])
    expect(show("Activity.scope", "Weather")).toBe("other")
    expect(show("FlagFilterExplanation.type", "weather")).toBe("other")
    expect(["gt", "flag_evaluates_to", "nearly"].map((word) => show("FlagFilterExplanation.operator", word))).toEqual([
      "gt",
      "flag_evaluates_to",
      "other",
    ])
    expect(["distinct_id_cut", "too_blue"].map((word) => show("IngestionWarning.reason", word))).toEqual([
      "distinct_id_cut",
      "other",
    ])
    expect(["mobile", "television"].map((word) => show("SessionRecording.snapshotSource", word))).toEqual([
      "mobile",
      "other",
    ])
  })
})

describe("changes in the audit log", () => {
  test("are fields with values before and after, whichever form an entry has", () => {
    const list = [{ field: "name", action: "changed", before: "a", after: "b" }, { field: "gone" }]
    expect(show("Activity.changes", list)).toEqual([
      { field: "name", before: "a", after: "b" },
      { field: "gone", before: null, after: null },
    ])
    expect(show("Activity.changes", { active: false })).toEqual([{ field: "active", before: null, after: false }])
    expect(show("Activity.changes", "text")).toEqual([])
  })
})
