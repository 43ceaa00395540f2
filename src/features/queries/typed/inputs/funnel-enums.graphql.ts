import { type EnumValue, registerEnum } from "../../../../platform/graphql/enum.js"

export const FunnelOrderEnum = registerEnum("FunnelOrder", "In which order the steps must come.", {
  ORDERED: ["ordered", "One after the other, whatever comes between."],
  STRICT: ["strict", "One after the other, nothing between."],
  UNORDERED: ["unordered", "In any order."],
})
export type FunnelOrderEnum = EnumValue<typeof FunnelOrderEnum>

export const FunnelViewEnum = registerEnum("FunnelView", "What a funnel is asked for.", {
  STEPS: ["steps", "How many come to each step."],
  TIME_TO_CONVERT: ["time_to_convert", "How long it takes from `fromStep` to `toStep`, in bins."],
  TREND: ["trends", "The share that comes through, for each interval in which it began."],
})
export type FunnelViewEnum = EnumValue<typeof FunnelViewEnum>

export const FunnelWindowUnitEnum = registerEnum("FunnelWindowUnit", "Unit of a funnel's window.", {
  SECOND: ["second", "Seconds."],
  MINUTE: ["minute", "Minutes."],
  HOUR: ["hour", "Hours."],
  DAY: ["day", "Days of 24 hours."],
  WEEK: ["week", "Weeks of seven days."],
  MONTH: ["month", "Months of thirty days."],
})
export type FunnelWindowUnitEnum = EnumValue<typeof FunnelWindowUnitEnum>

export const BreakdownAttributionEnum = registerEnum(
  "BreakdownAttribution",
  "Whose event of a funnel decides the value of a breakdown.",
  {
    FIRST_TOUCH: ["first_touch", "The first one that has the property."],
    LAST_TOUCH: ["last_touch", "The last one that has the property."],
    ALL_EVENTS: ["all_events", "All steps must have the same value."],
    STEP: ["step", "The one of `attributionStep`."],
  },
)
export type BreakdownAttributionEnum = EnumValue<typeof BreakdownAttributionEnum>

export const RetentionPeriodEnum = registerEnum("RetentionPeriod", "How long an interval of a retention is.", {
  HOUR: ["Hour", "An hour."],
  DAY: ["Day", "A day."],
  WEEK: ["Week", "A week."],
  MONTH: ["Month", "A month."],
})
export type RetentionPeriodEnum = EnumValue<typeof RetentionPeriodEnum>

export const StickinessComparisonEnum = registerEnum("StickinessComparison", "How a count is compared.", {
  AT_LEAST: ["gte", "So many or more."],
  AT_MOST: ["lte", "So many or fewer."],
  EXACTLY: ["exact", "Just so many."],
})
export type StickinessComparisonEnum = EnumValue<typeof StickinessComparisonEnum>

export const LifecycleStatusEnum = registerEnum("LifecycleStatus", "What an actor is in an interval.", {
  NEW: ["new", "There for the first time."],
  RETURNING: ["returning", "There in the interval before too."],
  RESURRECTING: ["resurrecting", "Back after at least one interval away."],
  DORMANT: ["dormant", "There in the interval before, and no more."],
})
export type LifecycleStatusEnum = EnumValue<typeof LifecycleStatusEnum>

export const PathItemTypeEnum = registerEnum("PathItemType", "Which events are steps of paths.", {
  PAGEVIEW: ["$pageview", "Page views, by their address."],
  SCREEN: ["$screen", "Screens, by their name."],
  CUSTOM_EVENT: ["custom_event", "Other events, by their name."],
  HOGQL: ["hogql", "Events by the value of `expression`."],
})
export type PathItemTypeEnum = EnumValue<typeof PathItemTypeEnum>

export const FirstEventEnum = registerEnum("FirstEvent", "Which event of an actor counts as the first one.", {
  FIRST_TIME: ["first_time_for_user", "The first one ever of the name, if it fits the filters."],
  FIRST_MATCHING: ["first_matching_event_for_user", "The first one ever that fits the filters."],
})
export type FirstEventEnum = EnumValue<typeof FirstEventEnum>

export const RetentionStartEnum = registerEnum("RetentionStart", "What makes actors be counted in an interval.", {
  RECURRING: ["retention_recurring", "That they came in it, whenever they came before."],
  FIRST_TIME: ["retention_first_time", "That they came in it for the first time with an event that fits."],
  FIRST_EVER: ["retention_first_ever_occurrence", "That their first event ever of the name is in it and fits."],
})
export type RetentionStartEnum = EnumValue<typeof RetentionStartEnum>

export const RetentionAggregationEnum = registerEnum("RetentionAggregation", "What is added up of those who come.", {
  SUM: ["sum", "The sum of `aggregationProperty`."],
  AVERAGE: ["avg", "The average of `aggregationProperty`."],
})
export type RetentionAggregationEnum = EnumValue<typeof RetentionAggregationEnum>

export const PropertySubjectEnum = registerEnum("PropertySubject", "Whose property it is.", {
  EVENT: ["event", "The event's."],
  PERSON: ["person", "The person's."],
})
export type PropertySubjectEnum = EnumValue<typeof PropertySubjectEnum>

export const FunnelPathPartEnum = registerEnum("FunnelPathPart", "Which part of a funnel's ways paths are made of.", {
  BEFORE_STEP: ["funnel_path_before_step", "What leads to `step`."],
  BETWEEN_STEPS: ["funnel_path_between_steps", "What lies between `step` and the step before."],
  AFTER_STEP: ["funnel_path_after_step", "What follows `step`."],
})
export type FunnelPathPartEnum = EnumValue<typeof FunnelPathPartEnum>
