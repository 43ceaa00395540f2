import type { JsonObject } from "../../../../kernel/json.js"
import type { QueryObject } from "../../queries.types.js"
import type { FunnelInput, PathsInput, RetentionInput } from "../inputs/funnel-inputs.graphql.js"
import type {
  CalendarHeatmapInput,
  ConversionGoalInput,
  InsightInput,
  LifecycleInput,
  StickinessInput,
  TrendsInput,
} from "../inputs/insights.graphql.js"
import { toBreakdown, toComparison, toDates, toGiven, toObject, toProperties } from "./filters.js"
import { toEntity, toSeries, toStep } from "./series.js"

/** What every insight can be asked with, as the wire has it. */
export const toInsight = ({ dates, properties, filterTestAccounts }: InsightInput): JsonObject =>
  toObject({ dateRange: toDates(dates), properties: toProperties(properties), filterTestAccounts })

/** @throws AppError invalid_input as `toStep`; so do all that follow. */
export const toTrends = (input: TrendsInput): QueryObject => ({
  kind: "TrendsQuery",
  series: input.series.map(toSeries),
  ...toInsight(input),
  ...toObject({
    interval: input.interval,
    breakdownFilter: toBreakdown(input.breakdown),
    compareFilter: toComparison(input.compare),
    trendsFilter: toGiven({
      display: input.view,
      smoothingIntervals: input.smoothingIntervals,
      formulaNodes: input.formulas?.map(({ formula, name }) => toObject({ formula, custom_name: name })),
    }),
  }),
})

export const toStickiness = (input: StickinessInput): QueryObject => ({
  kind: "StickinessQuery",
  series: input.series.map(toSeries),
  ...toInsight(input),
  ...toObject({
    interval: input.interval,
    compareFilter: toComparison(input.compare),
    stickinessFilter: toGiven({
      computedAs: input.isCumulative === true ? "cumulative" : undefined,
      stickinessCriteria: toGiven({ operator: input.comparison, value: input.eventsEnough }),
    }),
  }),
})

export const toLifecycle = (input: LifecycleInput): QueryObject => ({
  kind: "LifecycleQuery",
  series: [toSeries(input.series)],
  ...toInsight(input),
  ...toObject({ interval: input.interval, aggregation_group_type_index: input.groupTypeIndex }),
})

/** A wire's `conversionGoal`. */
export const toGoal = (goal: ConversionGoalInput | null | undefined): JsonObject | undefined =>
  goal == null ? undefined : toObject({ customEventName: goal.event, actionId: goal.action })

export const toCalendarHeatmap = (input: CalendarHeatmapInput): QueryObject => ({
  kind: "CalendarHeatmapQuery",
  series: [toSeries(input.series)],
  ...toInsight(input),
  ...toObject({ conversionGoal: toGoal(input.conversionGoal) }),
})

export const toFunnel = (input: FunnelInput): QueryObject => ({
  kind: "FunnelsQuery",
  series: input.steps.map(toStep),
  ...toInsight(input),
  ...toObject({
    interval: input.interval,
    aggregation_group_type_index: input.groupTypeIndex,
    breakdownFilter: toBreakdown(input.breakdown),
    compareFilter: toComparison(input.compare),
    funnelsFilter: toGiven({
      funnelVizType: input.view,
      funnelOrderType: input.order,
      funnelWindowInterval: input.window?.count,
      funnelWindowIntervalUnit: input.window?.unit,
      funnelFromStep: input.fromStep,
      funnelToStep: input.toStep,
      binCount: input.binCount,
      exclusions: input.exclusions?.map((exclusion) => ({
        ...toStep(exclusion),
        ...toObject({ funnelFromStep: exclusion.fromStep, funnelToStep: exclusion.toStep }),
      })),
      breakdownAttributionType: input.attribution,
      breakdownAttributionValue: input.attributionStep,
      funnelAggregateByHogQL: input.aggregateByHogQL,
    }),
  }),
})

export const toRetention = (input: RetentionInput): QueryObject => ({
  kind: "RetentionQuery",
  ...toInsight(input),
  ...toObject({
    aggregation_group_type_index: input.groupTypeIndex,
    breakdownFilter: toBreakdown(input.breakdown),
    retentionFilter: toGiven({
      period: input.period,
      totalIntervals: input.intervalCount,
      retentionType: input.start,
      aggregationType: input.aggregation,
      aggregationProperty: input.aggregationProperty,
      aggregationPropertyType: input.aggregationSubject,
      timeWindowMode: input.isRolling === true ? "24_hour_windows" : undefined,
      cumulative: input.isCumulative,
      minimumOccurrences: input.minimumOccurrences,
      retentionCustomBrackets: input.columnSizes,
      targetEntity: toEntity(input.target),
      returningEntity: toEntity(input.returning),
    }),
  }),
})

/** @param ends keys of a link, for a query of its persons */
export const toPaths = (input: PathsInput, ends: Readonly<Record<string, string | null | undefined>> = {}) =>
  ({
    kind: "PathsQuery",
    ...toInsight(input),
    ...toObject({
      aggregation_group_type_index: input.groupTypeIndex,
      funnelPathsFilter:
        input.funnel == null
          ? undefined
          : toObject({
              funnelSource: toFunnel(input.funnel.of),
              funnelPathType: input.funnel.part,
              funnelStep: input.funnel.step,
            }),
      pathsFilter: toGiven({
        includeEventTypes: input.itemTypes,
        pathsHogQLExpression: input.expression,
        stepLimit: input.stepLimit,
        edgeLimit: input.linkLimit,
        startPoint: input.startPoint,
        endPoint: input.endPoint,
        excludeEvents: input.excluded,
        pathGroupings: input.groupings,
        pathReplacements: input.cleansPaths,
        localPathCleaningFilters: input.cleaning?.map(({ regex, alias }) => ({ regex, alias })),
        minEdgeWeight: input.leastActors,
        maxEdgeWeight: input.mostActors,
        ...ends,
      }),
    }),
  }) satisfies QueryObject
