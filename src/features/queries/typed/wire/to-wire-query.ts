import { AppError } from "../../../../kernel/errors.js"
import type { Json } from "../../../../kernel/json.js"
import type { QueryInput } from "../inputs/query-input.graphql.js"
import { toCalendarHeatmap, toFunnel, toLifecycle, toPaths, toRetention, toStickiness, toTrends } from "./insights.js"
import { toActors, toEvents, toGroups, toHogql, toPropertyValues, toSessions } from "./tables.js"
import {
  toWebExternalClicks,
  toWebGoals,
  toWebOverview,
  toWebPageUrlSearch,
  toWebStats,
  toWebVitals,
  toWebVitalsPaths,
} from "./web.js"

/** How each field of a `QueryInput` is written on the wire, where the kinds read it: nothing is compiled twice. */
const TRANSLATORS: readonly ((input: QueryInput) => Json | undefined)[] = [
  ({ hogql }) => hogql && toHogql(hogql),
  ({ events }) => events && toEvents(events),
  ({ actors }) => actors && toActors(actors),
  ({ groups }) => groups && toGroups(groups),
  ({ trends }) => trends && toTrends(trends),
  ({ funnel }) => funnel && toFunnel(funnel),
  ({ retention }) => retention && toRetention(retention),
  ({ paths }) => paths && toPaths(paths),
  ({ stickiness }) => stickiness && toStickiness(stickiness),
  ({ lifecycle }) => lifecycle && toLifecycle(lifecycle),
  ({ webOverview }) => webOverview && toWebOverview(webOverview),
  ({ webStats }) => webStats && toWebStats(webStats),
  ({ sessions }) => sessions && toSessions(sessions),
  ({ propertyValues }) => propertyValues && toPropertyValues(propertyValues),
  ({ calendarHeatmap }) => calendarHeatmap && toCalendarHeatmap(calendarHeatmap),
  ({ webGoals }) => webGoals && toWebGoals(webGoals),
  ({ webVitals }) => webVitals && toWebVitals(webVitals),
  ({ webVitalsPaths }) => webVitalsPaths && toWebVitalsPaths(webVitalsPaths),
  ({ webExternalClicks }) => webExternalClicks && toWebExternalClicks(webExternalClicks),
  ({ webPageUrlSearch }) => webPageUrlSearch && toWebPageUrlSearch(webPageUrlSearch),
  ({ raw }) => raw,
]

/**
 * The query object that an input stands for, as REST takes it.
 * @throws AppError invalid_input for an input that contradicts itself, or without any field.
 */
export function toWireQuery(input: QueryInput): Json {
  for (const translate of TRANSLATORS) {
    const query = translate(input)
    if (query != null) return query
  }
  throw new AppError("invalid_input", { attr: "input", detail: "Give one query." })
}
