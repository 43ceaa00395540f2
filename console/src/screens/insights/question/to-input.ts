import { toPropertyFilters } from "../../../filters/filter"
import type {
  FunnelInput,
  LifecycleInput,
  PathsInput,
  QueryInput,
  RetentionInput,
  SeriesInput,
  StickinessInput,
  TrendsInput,
  WebOverviewInput,
} from "../../../graph/generated/graphql"
import { listSeries, type Question, type Series } from "./question"

const toDates = ({ from = "-30d", to }: Question) => ({ from, ...(to && { to }) })

const toMatch = ({ event, where }: Series) => ({ event, properties: toPropertyFilters(where) })

const toSeries = (series: Series): SeriesInput => ({
  ...toMatch(series),
  math: series.math ?? "TOTAL",
  mathProperty: series.mathProperty,
})

const toBreakdown = ({ breakdown }: Question) =>
  breakdown && {
    properties: [{ key: breakdown.key, type: breakdown.owner === "person" ? ("PERSON" as const) : ("EVENT" as const) }],
  }

const toCommon = (question: Question) => ({ dates: toDates(question), properties: toPropertyFilters(question.where) })

/** What the graph is asked for a question of this kind; each kind has one of these. */
export const toTrends = (question: Question): TrendsInput => ({
  ...toCommon(question),
  series: listSeries(question).map(toSeries),
  interval: question.interval,
  breakdown: toBreakdown(question),
  compare: question.compares ? {} : undefined,
  formulas: question.formula ? [{ formula: question.formula }] : undefined,
  view: question.view === "bars" || question.view === "number" ? "TOTAL" : "POINTS",
})

export const toFunnel = (question: Question): FunnelInput => ({
  ...toCommon(question),
  steps: listSeries(question).map(toMatch),
  breakdown: toBreakdown(question),
  view: question.view === "time" ? "TIME_TO_CONVERT" : "STEPS",
  window: { count: question.windowDays ?? 14, unit: "DAY" },
})

export function toRetention(question: Question): RetentionInput {
  const [target = {}, returning = {}] = listSeries(question)
  return {
    properties: toPropertyFilters(question.where),
    target: toMatch(target),
    returning: toMatch(returning),
    period: question.interval,
    intervalCount: 8,
    breakdown: toBreakdown(question),
  }
}

export const toPaths = (question: Question): PathsInput => ({ ...toCommon(question), stepLimit: 5, linkLimit: 50 })

export const toStickiness = (question: Question): StickinessInput => ({
  ...toCommon(question),
  series: listSeries(question).map(toSeries),
  interval: question.interval,
})

export function toLifecycle(question: Question): LifecycleInput {
  const [series = {}] = listSeries(question)
  return { ...toCommon(question), series: toSeries(series), interval: question.interval }
}

const toWebOverview = (question: Question): WebOverviewInput => ({
  ...toCommon(question),
  compare: question.compares ? {} : undefined,
})

/** The query that answers a question. */
export function toQueryInput(question: Question): QueryInput {
  switch (question.kind) {
    case "trends":
      return { trends: toTrends(question) }
    case "funnel":
      return { funnel: toFunnel(question) }
    case "retention":
      return { retention: toRetention(question) }
    case "paths":
      return { paths: toPaths(question) }
    case "stickiness":
      return { stickiness: toStickiness(question) }
    case "lifecycle":
      return { lifecycle: toLifecycle(question) }
    case "web":
      return { webOverview: toWebOverview(question) }
  }
}
