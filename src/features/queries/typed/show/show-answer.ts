import type { JsonObject } from "../../../../kernel/json.js"
import type { QueryRun } from "../../runs/query-run.js"
import type { AnswerPart, QueryAnswerType } from "../results/query-answer.graphql.js"
import { QueryKindEnum } from "../results/query-kind.graphql.js"
import { readChoice, readCount, readLabel, readList, readObject, readObjects, readText } from "./read-json.js"
import { showFunnel, showPaths, showRetention } from "./show-journeys.js"
import { showCalendarHeatmap, showLifecycle, showStickiness, showTrends } from "./show-series.js"
import { showActors, showHogql, showPropertyValues, showTable } from "./show-tables.js"
import {
  showWebExternalClicks,
  showWebGoals,
  showWebOverview,
  showWebPageUrls,
  showWebStats,
  showWebVitalsPaths,
} from "./show-web.js"

interface Shown {
  readonly resultType: string
  /** What the type has besides the part of every answer. */
  readonly show: (answer: JsonObject) => object
}

/** The GraphQL type of each kind; the others are a JsonResult. */
const RESULTS: ReadonlyMap<QueryKindEnum, Shown> = new Map<QueryKindEnum, Shown>([
  ["HogQLQuery", { resultType: "HogQLResult", show: showHogql }],
  ["EventsQuery", { resultType: "EventsResult", show: showTable }],
  ["ActorsQuery", { resultType: "ActorsResult", show: showActors }],
  ["PersonsQuery", { resultType: "ActorsResult", show: showActors }],
  ["GroupsQuery", { resultType: "GroupsResult", show: showTable }],
  ["TrendsQuery", { resultType: "TrendsResult", show: showTrends }],
  ["FunnelsQuery", { resultType: "FunnelResult", show: showFunnel }],
  ["RetentionQuery", { resultType: "RetentionResult", show: showRetention }],
  ["PathsQuery", { resultType: "PathsResult", show: showPaths }],
  ["StickinessQuery", { resultType: "StickinessResult", show: showStickiness }],
  ["LifecycleQuery", { resultType: "LifecycleResult", show: showLifecycle }],
  ["WebOverviewQuery", { resultType: "WebOverviewResult", show: showWebOverview }],
  ["WebStatsTableQuery", { resultType: "WebStatsResult", show: showWebStats }],
  ["SessionsQuery", { resultType: "SessionsResult", show: showTable }],
  ["PropertyValuesQuery", { resultType: "PropertyValuesResult", show: showPropertyValues }],
  ["CalendarHeatmapQuery", { resultType: "CalendarHeatmapResult", show: showCalendarHeatmap }],
  ["WebGoalsQuery", { resultType: "WebGoalsResult", show: showWebGoals }],
  ["WebVitalsQuery", { resultType: "TrendsResult", show: showTrends }],
  ["WebVitalsPathBreakdownQuery", { resultType: "WebVitalsPathsResult", show: showWebVitalsPaths }],
  ["WebExternalClicksTableQuery", { resultType: "WebExternalClicksResult", show: showWebExternalClicks }],
  ["WebPageURLSearchQuery", { resultType: "WebPageUrlSearchResult", show: showWebPageUrls }],
])
const AS_JSON: Shown = { resultType: "JsonResult", show: () => ({}) }

/**
 * An answer, the body that REST gives, as the GraphQL type of its kind.
 * @param run the run that calculates a newer one; null when none does
 */
export function showAnswer(body: JsonObject, run: QueryRun | null): QueryAnswerType {
  const kind = readChoice(readObject(body.query).kind, QueryKindEnum)
  if (kind === null) throw new Error("an answer is of no kind that is known")
  const { resultType, show } = RESULTS.get(kind) ?? AS_JSON
  return { resultType, ...showPart(body, kind, run), ...show(body) }
}

const showPart = (body: JsonObject, kind: QueryKindEnum, run: QueryRun | null): AnswerPart => ({
  kind,
  cache: {
    key: readLabel(body.cache_key),
    isCached: body.is_cached === true,
    isStale: body.is_stale === true,
    computedAt: new Date(readLabel(body.last_refresh)),
    dataThrough: new Date(readLabel(body.data_through)),
  },
  hogql: readText(body.hogql),
  timings: readObjects(body.timings).map(({ k, t }) => ({ step: readLabel(k), seconds: readCount(t) })),
  warnings: readList(body.warnings).map(String),
  run,
  answer: body,
})
