import "reflect-metadata"
import { beforeAll, describe, expect, test } from "@jest/globals"
import { coerceInputValue, type GraphQLInputType, type GraphQLSchema, isInputType } from "graphql"
import { describeSchemas } from "../../../../src/app/create-schema.js"
import { refuseUnknownFields } from "../../../../src/features/queries/kinds/refuse-unknown-fields.js"
import { toWireQuery } from "../../../../src/features/queries/typed/wire/to-wire-query.js"
import { isJsonObject, type Json } from "../../../../src/kernel/json.js"

let schema: GraphQLSchema
beforeAll(async () => {
  schema = (await describeSchemas()).operations
}, 120_000)

/** The query object that an input of GraphQL is translated to, in which its kind knows every field. */
function translate(input: object): Json {
  const query = toWireQuery(coerceInputValue(input, queryInput()) as Parameters<typeof toWireQuery>[0])
  if (isJsonObject(query)) refuseUnknownFields(query, String(query.kind))
  return query
}

function queryInput(): GraphQLInputType {
  const type = schema.getType("QueryInput")
  if (isInputType(type)) return type
  throw new Error("there is no QueryInput")
}

const views = { event: "$pageview" }
const viewsNode = { kind: "EventsNode", event: "$pageview", math: "total" }
const firstDay = { dates: { from: "2024-03-04" } }
const dateRange = { date_from: "2024-03-04" }

describe("a typed query", () => {
  test.each<[string, object, Json]>([
    [
      "of sessions",
      { sessions: { select: ["session_id"], after: "all", eventProperties: [{ event: { key: "a", value: 1 } }] } },
      {
        kind: "SessionsQuery",
        select: ["session_id"],
        after: "all",
        eventProperties: [{ type: "event", key: "a", operator: "exact", value: 1 }],
      },
    ],
    [
      "of values of a property",
      { propertyValues: { key: "plan", subject: "PERSON", search: "pr", isColumn: false } },
      {
        kind: "PropertyValuesQuery",
        property_type: "person",
        property_key: "plan",
        search_value: "pr",
        is_column: false,
      },
    ],
    [
      "by weekday and hour",
      { calendarHeatmap: { series: { ...views, math: "UNIQUE_ACTORS" }, ...firstDay, conversionGoal: { action: 3 } } },
      {
        kind: "CalendarHeatmapQuery",
        series: [{ kind: "EventsNode", event: "$pageview", math: "dau" }],
        dateRange,
        conversionGoal: { actionId: 3 },
      },
    ],
    [
      "of goals",
      { webGoals: { ...firstDay, orderBy: "CONVERSION_RATE", descending: false, limit: 2, compare: {} } },
      {
        kind: "WebGoalsQuery",
        properties: [],
        dateRange,
        compareFilter: { compare: true },
        orderBy: ["ConversionRate", "ASC"],
        limit: 2,
      },
    ],
    [
      "of vitals",
      { webVitals: { of: { series: [{ ...views, math: "P75", mathProperty: "$web_vitals_LCP_value" }] } } },
      {
        kind: "WebVitalsQuery",
        properties: [],
        source: {
          kind: "TrendsQuery",
          series: [{ ...viewsNode, math: "p75", math_property: "$web_vitals_LCP_value" }],
        },
      },
    ],
    [
      "of vitals by path",
      { webVitalsPaths: { metric: "CLS", percentile: "P90", goodUpTo: 0.1, fairUpTo: 0.25 } },
      {
        kind: "WebVitalsPathBreakdownQuery",
        properties: [],
        metric: "CLS",
        percentile: "p90",
        thresholds: [0.1, 0.25],
      },
    ],
    [
      "of links that were clicked",
      { webExternalClicks: { withoutParameters: true, offset: 5, orderBy: "VISITORS" } },
      {
        kind: "WebExternalClicksTableQuery",
        properties: [],
        stripQueryParams: true,
        offset: 5,
        orderBy: ["Visitors", "DESC"],
      },
    ],
    [
      "of addresses",
      { webPageUrlSearch: { search: "/pri", withoutParameters: true } },
      { kind: "WebPageURLSearchQuery", properties: [], searchTerm: "/pri", stripQueryParams: true },
    ],
    [
      "of a site's conversions",
      { webStats: { breakdownBy: "PAGE", cleansPaths: true, conversionGoal: { event: "signed up" } } },
      {
        kind: "WebStatsTableQuery",
        properties: [],
        breakdownBy: "Page",
        doPathCleaning: true,
        conversionGoal: { customEventName: "signed up" },
      },
    ],
    [
      "with first events, factors and addresses as one",
      {
        trends: {
          series: [
            { ...views, math: "FIRST_MATCHING" },
            { ...views, math: "SUM", mathProperty: "price", mathMultiplier: 0.01 },
          ],
          interval: "QUARTER",
          breakdown: { properties: [{ key: "$current_url", normalizesUrl: true }], cleansPaths: true },
        },
      },
      {
        kind: "TrendsQuery",
        series: [
          { ...viewsNode, math: "first_matching_event_for_user" },
          { ...viewsNode, math: "sum", math_property: "price", math_multiplier: 0.01 },
        ],
        interval: "quarter",
        breakdownFilter: {
          breakdown: "$current_url",
          breakdown_type: "event",
          breakdown_normalize_url: true,
          breakdown_path_cleaning: true,
        },
      },
    ],
    [
      "of a funnel with optional steps, compared",
      { funnel: { steps: [{ ...views, onlyFirst: "FIRST_TIME" }, { event: "b", isOptional: true }, {}], compare: {} } },
      {
        kind: "FunnelsQuery",
        series: [
          { kind: "EventsNode", event: "$pageview", math: "first_time_for_user" },
          { kind: "EventsNode", event: "b", optionalInFunnel: true },
          { kind: "EventsNode", event: null },
        ],
        compareFilter: { compare: true },
      },
    ],
    [
      "of a retention with sums",
      {
        retention: {
          start: "FIRST_EVER",
          aggregation: "AVERAGE",
          aggregationProperty: "price",
          aggregationSubject: "PERSON",
        },
      },
      {
        kind: "RetentionQuery",
        retentionFilter: {
          retentionType: "retention_first_ever_occurrence",
          aggregationType: "avg",
          aggregationProperty: "price",
          aggregationPropertyType: "person",
        },
      },
    ],
    [
      "of paths in a funnel",
      { paths: { funnel: { of: { steps: [views, { event: "b" }] }, part: "BETWEEN_STEPS", step: 2 } } },
      {
        kind: "PathsQuery",
        funnelPathsFilter: {
          funnelSource: {
            kind: "FunnelsQuery",
            series: [
              { kind: "EventsNode", event: "$pageview" },
              { kind: "EventsNode", event: "b" },
            ],
          },
          funnelPathType: "funnel_path_between_steps",
          funnelStep: 2,
        },
      },
    ],
    [
      "of paths that are cleaned",
      { paths: { cleansPaths: true, cleaning: [{ regex: "\\d+", alias: "<id>" }] } },
      {
        kind: "PathsQuery",
        pathsFilter: { pathReplacements: true, localPathCleaningFilters: [{ regex: "\\d+", alias: "<id>" }] },
      },
    ],
    [
      "of who were there in some intervals",
      { actors: { source: { stickiness: { of: { series: [views] }, intervals: 2, comparison: "AT_LEAST" } } } },
      {
        kind: "ActorsQuery",
        source: {
          kind: "StickinessActorsQuery",
          source: { kind: "StickinessQuery", series: [viewsNode] },
          day: 2,
          operator: "gte",
        },
      },
    ],
    [
      "filtered by flag, recording, element and version",
      {
        trends: {
          series: [views],
          properties: [
            { flag: { key: "beta", isOn: false } },
            { flag: { key: "beta", variant: "blue" } },
            { recording: { key: "ACTIVE_SECONDS", operator: "GT", value: 60 } },
            { element: { key: "selector", value: "a.big > b" } },
            { event: { key: "$app_version", operator: "SEMVER_CARET", value: "1.2.0" } },
          ],
        },
      },
      {
        kind: "TrendsQuery",
        series: [viewsNode],
        properties: [
          { type: "flag", key: "beta", operator: "flag_evaluates_to", value: false },
          { type: "flag", key: "beta", operator: "flag_evaluates_to", value: "blue" },
          { type: "recording", key: "active_seconds", operator: "gt", value: 60 },
          { type: "element", key: "selector", operator: "exact", value: "a.big > b" },
          { type: "event", key: "$app_version", operator: "semver_caret", value: "1.2.0" },
        ],
      },
    ],
  ])("%s is the query that REST takes", (_what, input, wire) => {
    expect(translate(input)).toEqual(wire)
  })

  test("says what contradicts itself", () => {
    const flags = [{ key: "a" }, { key: "a", isOn: true, variant: "b" }]
    for (const flag of flags)
      expect(() => translate({ trends: { series: [views], properties: [{ flag }] } })).toThrow(
        "Give either isOn or variant.",
      )
    expect(() => translate({ trends: { series: [{ ...views, action: 1 }] } })).toThrow("Give either event or action")
  })
})
