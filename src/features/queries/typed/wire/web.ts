import type { JsonObject } from "../../../../kernel/json.js"
import type { QueryObject } from "../../queries.types.js"
import type {
  WebExternalClicksInput,
  WebGoalsInput,
  WebInput,
  WebOverviewInput,
  WebPageUrlSearchInput,
  WebStatsInput,
  WebVitalsInput,
  WebVitalsPathsInput,
} from "../inputs/web.graphql.js"
import { toComparison, toObject } from "./filters.js"
import { toGoal, toInsight, toTrends } from "./insights.js"

/** What queries about a site have in common, as the wire has it. */
const toSite = (input: Omit<WebInput, "compare"> & Partial<Pick<WebInput, "compare">>): JsonObject => ({
  properties: [],
  ...toInsight(input),
  ...toObject({ compareFilter: toComparison(input.compare) }),
})

/** The query object that REST would be sent. @throws AppError invalid_input as `toInsight`; so do all that follow. */
export const toWebOverview = (input: WebOverviewInput): QueryObject => ({
  kind: "WebOverviewQuery",
  ...toSite(input),
  ...toObject({ conversionGoal: toGoal(input.conversionGoal) }),
})

export const toWebStats = (input: WebStatsInput): QueryObject => ({
  kind: "WebStatsTableQuery",
  ...toSite(input),
  breakdownBy: input.breakdownBy,
  ...toPage(input),
  ...toObject({
    includeBounceRate: input.includeBounceRate,
    doPathCleaning: input.cleansPaths,
    conversionGoal: toGoal(input.conversionGoal),
  }),
})

export const toWebGoals = (input: WebGoalsInput): QueryObject => ({
  kind: "WebGoalsQuery",
  ...toSite(input),
  ...toPage(input),
})

export const toWebExternalClicks = (input: WebExternalClicksInput): QueryObject => ({
  kind: "WebExternalClicksTableQuery",
  ...toSite(input),
  ...toPage(input),
  ...toObject({ stripQueryParams: input.withoutParameters }),
})

export const toWebPageUrlSearch = (input: WebPageUrlSearchInput): QueryObject => ({
  kind: "WebPageURLSearchQuery",
  ...toSite(input),
  ...toPage(input),
  ...toObject({ searchTerm: input.search, stripQueryParams: input.withoutParameters }),
})

export const toWebVitals = (input: WebVitalsInput): QueryObject => ({
  kind: "WebVitalsQuery",
  ...toSite(input),
  source: toTrends(input.of),
})

export const toWebVitalsPaths = (input: WebVitalsPathsInput): QueryObject => ({
  kind: "WebVitalsPathBreakdownQuery",
  ...toSite(input),
  ...toObject({ metric: input.metric, percentile: input.percentile, doPathCleaning: input.cleansPaths }),
  thresholds: [input.goodUpTo, input.fairUpTo],
})

interface PageInput extends Pick<WebStatsInput, "limit" | "offset" | "descending"> {
  readonly orderBy?: string | null
}

const toPage = ({ limit, offset, orderBy, descending }: PageInput): JsonObject =>
  toObject({ limit, offset, orderBy: orderBy == null ? null : [orderBy, descending === false ? "ASC" : "DESC"] })
