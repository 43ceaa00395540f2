import { type EnumValue, registerEnum } from "../../../../platform/graphql/enum.js"

export const QueryIntervalEnum = registerEnum("QueryInterval", "How long a point of a chart is.", {
  SECOND: ["second", "A second."],
  MINUTE: ["minute", "A minute."],
  HOUR: ["hour", "An hour."],
  DAY: ["day", "A day of the project's time zone."],
  WEEK: ["week", "A week, which begins as the project says."],
  MONTH: ["month", "A month."],
  QUARTER: ["quarter", "A quarter of a year."],
})
export type QueryIntervalEnum = EnumValue<typeof QueryIntervalEnum>

export const PropertyOperatorEnum = registerEnum("PropertyOperator", "How a property is compared with a value.", {
  EXACT: ["exact", "Is the value, or one of the list."],
  IS_NOT: ["is_not", "Is neither the value nor one of the list."],
  IN: ["in", "Is one of the list."],
  NOT_IN: ["not_in", "Is none of the list."],
  ICONTAINS: ["icontains", "Contains the text, in any case."],
  NOT_ICONTAINS: ["not_icontains", "Does not contain the text, in any case."],
  ICONTAINS_MULTI: ["icontains_multi", "Contains one of the texts, in any case."],
  NOT_ICONTAINS_MULTI: ["not_icontains_multi", "Contains none of the texts, in any case."],
  STARTS_WITH: ["starts_with", "Begins with the text, in any case."],
  NOT_STARTS_WITH: ["not_starts_with", "Does not begin with the text, in any case."],
  ENDS_WITH: ["ends_with", "Ends with the text, in any case."],
  NOT_ENDS_WITH: ["not_ends_with", "Does not end with the text, in any case."],
  REGEX: ["regex", "Matches the regular expression."],
  NOT_REGEX: ["not_regex", "Does not match the regular expression."],
  GT: ["gt", "Is greater."],
  GTE: ["gte", "Is greater or equal."],
  MIN: ["min", "As GTE."],
  LT: ["lt", "Is less."],
  LTE: ["lte", "Is less or equal."],
  MAX: ["max", "As LTE."],
  BETWEEN: ["between", "Lies between the two values of the list, ends included."],
  NOT_BETWEEN: ["not_between", "Lies outside of the two values of the list."],
  IS_SET: ["is_set", "Has any value."],
  IS_NOT_SET: ["is_not_set", "Has no value."],
  IS_CLEANED_PATH_EXACT: [
    "is_cleaned_path_exact",
    "Equals the path, or one of them, both by the project's rules for paths.",
  ],
  IS_DATE_EXACT: ["is_date_exact", "Is of that day."],
  IS_DATE_BEFORE: ["is_date_before", "Is an earlier time."],
  IS_DATE_AFTER: ["is_date_after", "Is a later time."],
  SEMVER_EQ: ["semver_eq", "Is this version; what is no version never fits one of these operators."],
  SEMVER_NEQ: ["semver_neq", "Is another version."],
  SEMVER_GT: ["semver_gt", "Is a later version."],
  SEMVER_GTE: ["semver_gte", "Is this version or a later one."],
  SEMVER_LT: ["semver_lt", "Is an earlier version."],
  SEMVER_LTE: ["semver_lte", "Is this version or an earlier one."],
  SEMVER_TILDE: ["semver_tilde", "Is this version or a later one with the same first two numbers, as `~1.2.3`."],
  SEMVER_CARET: ["semver_caret", "Is this version or a later one that is compatible, as `^1.2.3`."],
  SEMVER_WILDCARD: ["semver_wildcard", "Is one of the versions of `1.2.*` or `1.*`."],
})
export type PropertyOperatorEnum = EnumValue<typeof PropertyOperatorEnum>

export const SeriesMathEnum = registerEnum("SeriesMath", "What is counted of the events of a series.", {
  TOTAL: ["total", "The events."],
  UNIQUE_ACTORS: ["dau", "Distinct persons, or groups of `mathGroupTypeIndex`."],
  WEEKLY_ACTIVE: ["weekly_active", "Distinct persons of the seven days up to each point."],
  MONTHLY_ACTIVE: ["monthly_active", "Distinct persons of the thirty days up to each point."],
  UNIQUE_SESSIONS: ["unique_session", "Distinct sessions."],
  UNIQUE_GROUPS: ["unique_group", "Distinct groups of `mathGroupTypeIndex`."],
  FIRST_TIME: ["first_time_for_user", "Persons whose first event ever of the name it is, if it fits the filters."],
  FIRST_MATCHING: ["first_matching_event_for_user", "Persons whose first event ever that fits the filters it is."],
  SUM: ["sum", "The sum of `mathProperty`."],
  AVG: ["avg", "The average of `mathProperty`."],
  MIN: ["min", "The least of `mathProperty`."],
  MAX: ["max", "The greatest of `mathProperty`."],
  MEDIAN: ["median", "The median of `mathProperty`."],
  P75: ["p75", "The 75th percentile of `mathProperty`."],
  P90: ["p90", "The 90th percentile of `mathProperty`."],
  P95: ["p95", "The 95th percentile of `mathProperty`."],
  P99: ["p99", "The 99th percentile of `mathProperty`."],
  AVG_PER_ACTOR: ["avg_count_per_actor", "The average number of events of a person."],
  MIN_PER_ACTOR: ["min_count_per_actor", "The least number of events of a person."],
  MAX_PER_ACTOR: ["max_count_per_actor", "The greatest number of events of a person."],
  MEDIAN_PER_ACTOR: ["median_count_per_actor", "The median number of events of a person."],
  P75_PER_ACTOR: ["p75_count_per_actor", "The 75th percentile of the number of events of a person."],
  P90_PER_ACTOR: ["p90_count_per_actor", "The 90th percentile of the number of events of a person."],
  P95_PER_ACTOR: ["p95_count_per_actor", "The 95th percentile of the number of events of a person."],
  P99_PER_ACTOR: ["p99_count_per_actor", "The 99th percentile of the number of events of a person."],
  HOGQL: ["hogql", "The aggregate `mathHogQL`."],
})
export type SeriesMathEnum = EnumValue<typeof SeriesMathEnum>

export const MathPropertyOwnerEnum = registerEnum("MathPropertyOwner", "Whose property it is.", {
  EVENT: ["event_properties", "The event's."],
  PERSON: ["person_properties", "The person's."],
  SESSION: ["session_properties", "The session's."],
})
export type MathPropertyOwnerEnum = EnumValue<typeof MathPropertyOwnerEnum>

export const BreakdownTypeEnum = registerEnum("BreakdownType", "What an insight is broken down by.", {
  EVENT: ["event", "A property of the event."],
  PERSON: ["person", "A property of its person."],
  GROUP: ["group", "A property of its group of `groupTypeIndex`."],
  SESSION: ["session", "A property of its session."],
  EVENT_METADATA: ["event_metadata", "A column of events, such as `event` or `distinct_id`."],
  HOGQL: ["hogql", "A HogQL expression."],
})
export type BreakdownTypeEnum = EnumValue<typeof BreakdownTypeEnum>

export const TrendsViewEnum = registerEnum("TrendsView", "What a trend gives of each series.", {
  POINTS: ["ActionsLineGraph", "A number for each interval."],
  CUMULATIVE: ["ActionsLineGraphCumulative", "The numbers added up from the first interval on."],
  TOTAL: ["BoldNumber", "One number for the whole range."],
})
export type TrendsViewEnum = EnumValue<typeof TrendsViewEnum>
