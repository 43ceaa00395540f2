import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.js"
import type { QueryObject } from "../../queries.types.js"
import { listDemandedScopes } from "../../request/demanded-scopes.js"
import type { QueryAnswerType } from "../results/query-answer.graphql.js"
import { readObject } from "./read-json.js"
import { showAnswer } from "./show-answer.js"

/** Kinds whose answers are numbers, or what their author selected. The others list people, events or records with ids. */
const PUBLIC_KINDS: ReadonlySet<string> = new Set([
  "HogQLQuery",
  "TrendsQuery",
  "FunnelsQuery",
  "RetentionQuery",
  "PathsQuery",
  "StickinessQuery",
  "LifecycleQuery",
  "CalendarHeatmapQuery",
  "WebOverviewQuery",
  "WebStatsTableQuery",
  "WebExternalClicksTableQuery",
  "WebPageURLSearchQuery",
  "WebGoalsQuery",
  "WebVitalsQuery",
  "WebVitalsPathBreakdownQuery",
])

/** Whether an answer may be shown to whoever has a link: it asks for nothing but what `query:read` opens, and lists no ids. */
export const isPublic = (query: QueryObject): boolean =>
  PUBLIC_KINDS.has(query.kind) && listDemandedScopes(query).length === 0

/** An answer without what it says of its query, of how it was calculated, and of numbers of actions and cohorts. */
export function showPublicly(body: JsonObject): QueryAnswerType {
  const { kind, breakdownFilter } = readObject(body.query)
  const isOfCohorts = readObject(breakdownFilter).breakdown_type === "cohort"
  const results = kind === "HogQLQuery" ? (body.results ?? null) : withoutNumbers(body.results ?? null, isOfCohorts)
  const shown = showAnswer({ ...body, results }, null)
  return { ...shown, cache: { ...shown.cache, key: "" }, hogql: null, timings: [], warnings: [], answer: {} }
}

function withoutNumbers(value: Json, isOfCohorts: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withoutNumbers(item, isOfCohorts))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([name, inner]): [string, Json] => [
    name,
    name === "breakdown_value" && isOfCohorts ? null : withoutNumbers(inner, isOfCohorts),
  ])
  return { ...Object.fromEntries(fields), ...(value.type === "actions" && { id: null, action_id: null }) }
}
