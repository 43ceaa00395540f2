import type { JsonObject } from "../../../../kernel/json.js"
import type { QueryObject } from "../../queries.types.js"
import type {
  ActorsInput,
  ActorsSourceInput,
  EventsInput,
  GroupsInput,
  HogQLInput,
  PropertyValuesInput,
  SessionsInput,
} from "../inputs/tables.graphql.js"
import { toBreakdownValue, toDates, toGiven, toObject, toProperties } from "./filters.js"
import { toFunnel, toLifecycle, toPaths, toRetention, toStickiness, toTrends } from "./insights.js"

/** The query object that REST would be sent. @throws AppError invalid_input as `toProperties`; so do all that follow. */
export const toHogql = (input: HogQLInput): QueryObject => ({
  kind: "HogQLQuery",
  query: input.query,
  ...toObject({
    values: input.values,
    variables: input.variables,
    explain: input.explain,
    filters: toGiven({
      dateRange: toDates(input.dates),
      properties: toProperties(input.properties),
      filterTestAccounts: input.filterTestAccounts,
    }),
  }),
})

export const toEvents = (input: EventsInput): QueryObject => ({
  kind: "EventsQuery",
  select: input.select,
  ...toPage(input),
  ...toObject({
    where: input.where,
    properties: toProperties(input.properties),
    filterTestAccounts: input.filterTestAccounts,
    event: input.event,
    actionId: input.action,
    personId: input.personId,
    after: input.after,
    before: input.before,
  }),
})

export const toSessions = ({ eventProperties, ...input }: SessionsInput): QueryObject => ({
  ...toEvents(input),
  kind: "SessionsQuery",
  ...toObject({ eventProperties: toProperties(eventProperties) }),
})

export const toPropertyValues = (input: PropertyValuesInput): QueryObject => ({
  kind: "PropertyValuesQuery",
  property_type: input.subject ?? "event",
  property_key: input.key,
  ...toObject({ search_value: input.search, event_names: input.events, is_column: input.isColumn }),
})

export const toActors = (input: ActorsInput): QueryObject => ({
  kind: "ActorsQuery",
  ...toPage(input),
  ...toObject({
    select: input.select,
    source: input.source == null ? undefined : toActorsSource(input.source),
    search: input.search,
    properties: toProperties(input.properties),
  }),
})

export const toGroups = (input: GroupsInput): QueryObject => ({
  kind: "GroupsQuery",
  group_type_index: input.groupTypeIndex,
  ...toPage(input),
  ...toObject({ select: input.select, search: input.search, properties: toProperties(input.properties) }),
})

interface Page {
  readonly orderBy?: string[] | null
  readonly limit?: number | null
  readonly offset?: number | null
}

const toPage = ({ orderBy, limit, offset }: Page): JsonObject => toObject({ orderBy, limit, offset })

const toPeriod = (isPrevious: boolean | null | undefined) => (isPrevious === true ? "previous" : undefined)

/** The `source` of an ActorsQuery: `@oneOf` has seen to it that one field is given. */
function toActorsSource({
  hogql,
  trends,
  funnel,
  retention,
  paths,
  stickiness,
  lifecycle,
}: ActorsSourceInput): JsonObject {
  if (hogql != null) return { kind: "HogQLQuery", query: hogql }
  if (trends != null)
    return toPointActors(toTrends(trends.of), {
      series: trends.series,
      day: trends.day,
      breakdown: toBreakdownValue(trends.breakdown),
      compare: toPeriod(trends.isPrevious),
    })
  if (funnel != null)
    return {
      kind: "FunnelsActorsQuery",
      source: toFunnel(funnel.of),
      ...toObject({
        funnelStep: funnel.step,
        funnelCustomSteps: funnel.exactSteps,
        funnelTrendsEntrancePeriodStart: funnel.startedIn,
        funnelTrendsDropOff: funnel.isDropOff,
        funnelStepBreakdown: toBreakdownValue(funnel.breakdown),
      }),
    }
  if (retention != null)
    return toPointActors(toRetention(retention.of), {
      interval: retention.interval,
      breakdown: toBreakdownValue(retention.breakdown),
    })
  if (paths != null)
    return toPointActors(
      toPaths(paths.of, { pathStartKey: paths.from, pathEndKey: paths.to, pathDropoffKey: paths.endedAt }),
      {},
    )
  if (stickiness != null)
    return {
      kind: "StickinessActorsQuery",
      source: toStickiness(stickiness.of),
      ...toObject({
        series: stickiness.series,
        day: stickiness.intervals,
        operator: stickiness.comparison,
        compare: toPeriod(stickiness.isPrevious),
      }),
    }
  return lifecycle == null
    ? {}
    : toPointActors(toLifecycle(lifecycle.of), { day: lifecycle.day, status: lifecycle.status })
}

const toPointActors = (source: QueryObject, point: Parameters<typeof toObject>[0]): JsonObject => ({
  kind: "InsightActorsQuery",
  source,
  ...toObject(point),
})
