import { Field, InputType, Int } from "type-graphql"
import { PathCleaningInput } from "../../../projects/index.js"
import { QueryIntervalEnum } from "./enums.graphql.js"
import { BreakdownInput, ComparisonInput } from "./filters.graphql.js"
import {
  BreakdownAttributionEnum,
  FunnelOrderEnum,
  FunnelPathPartEnum,
  FunnelViewEnum,
  FunnelWindowUnitEnum,
  PathItemTypeEnum,
  PropertySubjectEnum,
  RetentionAggregationEnum,
  RetentionPeriodEnum,
  RetentionStartEnum,
} from "./funnel-enums.graphql.js"
import { InsightInput } from "./insights.graphql.js"
import { EventMatchInput, FunnelExclusionInput, FunnelStepInput } from "./series.graphql.js"

@InputType("FunnelWindowInput", { description: "How long actors may take from the first step to the last." })
export class FunnelWindowInput {
  @Field(() => Int, { description: "How many." })
  count!: number
  @Field(() => FunnelWindowUnitEnum, { description: "Of what." })
  unit!: FunnelWindowUnitEnum
}

@InputType("FunnelInput", { description: "How many come through steps, and how fast." })
export class FunnelInput extends InsightInput {
  @Field(() => [FunnelStepInput], { description: "2 to 20 steps." })
  steps!: FunnelStepInput[]
  @Field(() => FunnelViewEnum, { nullable: true, description: "STEPS when absent." })
  view?: FunnelViewEnum | null
  @Field(() => FunnelOrderEnum, { nullable: true, description: "ORDERED when absent." })
  order?: FunnelOrderEnum | null
  @Field(() => FunnelWindowInput, { nullable: true, description: "Fourteen days when absent." })
  window?: FunnelWindowInput | null
  @Field(() => QueryIntervalEnum, { nullable: true, description: "Of a TREND; a day when absent." })
  interval?: QueryIntervalEnum | null
  @Field(() => Int, { nullable: true, description: "Step from which conversion is measured, from 0." })
  fromStep?: number | null
  @Field(() => Int, { nullable: true, description: "Step to which it is measured; the last one when absent." })
  toStep?: number | null
  @Field(() => Int, { nullable: true, description: "Bins of TIME_TO_CONVERT, 1 to 90." })
  binCount?: number | null
  @Field(() => [FunnelExclusionInput], { nullable: true, description: "Events that end an attempt." })
  exclusions?: FunnelExclusionInput[] | null
  @Field(() => BreakdownInput, { nullable: true, description: "A funnel for each value." })
  breakdown?: BreakdownInput | null
  @Field(() => ComparisonInput, { nullable: true, description: "Beside that of the time before; not TIME_TO_CONVERT." })
  compare?: ComparisonInput | null
  @Field(() => BreakdownAttributionEnum, { nullable: true, description: "FIRST_TOUCH when absent." })
  attribution?: BreakdownAttributionEnum | null
  @Field(() => Int, { nullable: true, description: "Step of the attribution STEP, from 0." })
  attributionStep?: number | null
  @Field(() => Int, { nullable: true, description: "Counts groups of this type instead of persons, 0 to 4." })
  groupTypeIndex?: number | null
  @Field(() => String, { nullable: true, description: "Counts values of this HogQL expression instead of persons." })
  aggregateByHogQL?: string | null
}

@InputType("RetentionInput", { description: "Who comes back, by the interval in which they came." })
export class RetentionInput extends InsightInput {
  @Field(() => RetentionPeriodEnum, { nullable: true, description: "A day when absent." })
  period?: RetentionPeriodEnum | null
  @Field(() => Int, { nullable: true, description: "Intervals, 1 to 100; 11 when absent." })
  intervalCount?: number | null
  @Field(() => RetentionStartEnum, { nullable: true, description: "RECURRING when absent." })
  start?: RetentionStartEnum | null
  @Field(() => RetentionAggregationEnum, {
    nullable: true,
    description: "Gives `aggregate` of each value; not with the options about how often and how long.",
  })
  aggregation?: RetentionAggregationEnum | null
  @Field(() => String, { nullable: true, description: "Property that is added up." })
  aggregationProperty?: string | null
  @Field(() => PropertySubjectEnum, { nullable: true, description: "Whose property that is; the event's when absent." })
  aggregationSubject?: PropertySubjectEnum | null
  @Field(() => Boolean, { nullable: true, description: "Counts whole days of 24 hours from the event that began." })
  isRolling?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Whoever came later counts as there in every interval before." })
  isCumulative?: boolean | null
  @Field(() => Int, { nullable: true, description: "How often actors must come in an interval; once when absent." })
  minimumOccurrences?: number | null
  @Field(() => [Int], { nullable: true, description: "How many intervals each column after the first one holds." })
  columnSizes?: number[] | null
  @Field(() => EventMatchInput, { nullable: true, description: "What counts as coming; page views when absent." })
  target?: EventMatchInput | null
  @Field(() => EventMatchInput, { nullable: true, description: "What counts as coming back; page views when absent." })
  returning?: EventMatchInput | null
  @Field(() => BreakdownInput, { nullable: true, description: "A matrix for each value." })
  breakdown?: BreakdownInput | null
  @Field(() => Int, { nullable: true, description: "Counts groups of this type instead of persons, 0 to 4." })
  groupTypeIndex?: number | null
}

@InputType("FunnelPathsInput", { description: "Only what actors did in a part of a funnel." })
export class FunnelPathsInput {
  @Field(() => FunnelInput, { description: "The funnel, of whose dates and filters only the funnel is." })
  of!: FunnelInput
  @Field(() => FunnelPathPartEnum, { nullable: true, description: "AFTER_STEP when absent." })
  part?: FunnelPathPartEnum | null
  @Field(() => Int, { description: "Number of the step, from 1; -n are those who left before step n." })
  step!: number
}

@InputType("PathsInput", { description: "From which step to which actors go." })
export class PathsInput extends InsightInput {
  @Field(() => [PathItemTypeEnum], { nullable: true, description: "All when absent." })
  itemTypes?: PathItemTypeEnum[] | null
  @Field(() => String, { nullable: true, description: "HogQL whose value is the step of an event." })
  expression?: string | null
  @Field(() => Int, { nullable: true, description: "Steps of a path, 2 to 20; 5 when absent." })
  stepLimit?: number | null
  @Field(() => Int, { nullable: true, description: "Links that are shown, 1 to 1,000; 50 when absent." })
  linkLimit?: number | null
  @Field(() => String, { nullable: true, description: "Step with which paths begin." })
  startPoint?: string | null
  @Field(() => String, { nullable: true, description: "Step with which paths end." })
  endPoint?: string | null
  @Field(() => [String], { nullable: true, description: "Steps that are left out; `*` is anything." })
  excluded?: string[] | null
  @Field(() => [String], { nullable: true, description: "Patterns whose steps become one; `*` is anything." })
  groupings?: string[] | null
  @Field(() => [PathCleaningInput], { nullable: true, description: "Applied one after the other, before all else." })
  cleaning?: PathCleaningInput[] | null
  @Field(() => Boolean, { nullable: true, description: "Applies the project's rules for paths before `cleaning`." })
  cleansPaths?: boolean | null
  @Field(() => FunnelPathsInput, { nullable: true, description: "Paths in a part of a funnel." })
  funnel?: FunnelPathsInput | null
  @Field(() => Int, { nullable: true, description: "Links of fewer actors are left out." })
  leastActors?: number | null
  @Field(() => Int, { nullable: true, description: "Links of more actors are left out." })
  mostActors?: number | null
  @Field(() => Int, { nullable: true, description: "Counts groups of this type instead of persons, 0 to 4." })
  groupTypeIndex?: number | null
}
