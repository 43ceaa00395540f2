import { createUnionType } from "type-graphql"
import { QueryRunType } from "../../queries.graphql.js"
import { FunnelResultType, PathsResultType, RetentionResultType } from "./journeys.graphql.js"
import { CacheMissType, JsonResultType } from "./query-answer.graphql.js"
import {
  CalendarHeatmapResultType,
  LifecycleResultType,
  StickinessResultType,
  TrendsResultType,
} from "./series.graphql.js"
import {
  ActorsResultType,
  EventsResultType,
  GroupsResultType,
  HogQLResultType,
  PropertyValuesResultType,
  SessionsResultType,
} from "./tables.graphql.js"
import {
  WebExternalClicksResultType,
  WebGoalsResultType,
  WebOverviewResultType,
  WebPageUrlSearchResultType,
  WebStatsResultType,
  WebVitalsPathsResultType,
} from "./web.graphql.js"

/** What a query comes to. */
export const QueryResultUnion = createUnionType({
  name: "QueryResult",
  description: "What a query comes to: an answer, the run that will have one, or nothing that is kept.",
  types: () =>
    [
      HogQLResultType,
      EventsResultType,
      ActorsResultType,
      GroupsResultType,
      TrendsResultType,
      FunnelResultType,
      RetentionResultType,
      PathsResultType,
      StickinessResultType,
      LifecycleResultType,
      WebOverviewResultType,
      WebStatsResultType,
      SessionsResultType,
      PropertyValuesResultType,
      CalendarHeatmapResultType,
      WebGoalsResultType,
      WebVitalsPathsResultType,
      WebExternalClicksResultType,
      WebPageUrlSearchResultType,
      JsonResultType,
      QueryRunType,
      CacheMissType,
    ] as const,
  resolveType: (value: object) => ("resultType" in value ? String(value.resultType) : "QueryRun"),
})
