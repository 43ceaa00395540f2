import { Field, Int, ObjectType } from "type-graphql"
import { FunnelViewEnum } from "../inputs/funnel-enums.graphql.js"
import { QueryAnswerType } from "./query-answer.graphql.js"
import { BrokenDownType, ComparedPeriodEnum, SeriesPointType } from "./series.graphql.js"

@ObjectType("FunnelStep", { description: "How many came to one step." })
export class FunnelStepType {
  @Field(() => Int, { description: "Its index." })
  order!: number
  @Field(() => String, { description: "Name of the event, or how many steps of an unordered funnel." })
  name!: string
  @Field(() => String, { nullable: true, description: "What the query calls it." })
  customName!: string | null
  @Field(() => String, { nullable: true, description: "Name of the event." })
  event!: string | null
  @Field(() => Int, { nullable: true, description: "Number of the action." })
  action!: number | null
  @Field(() => Number, { description: "Actors who came to it." })
  count!: number
  @Field(() => Number, { nullable: true, description: "Those in percent of the first step; null when nobody came." })
  percentOfFirst!: number | null
  @Field(() => Number, { nullable: true, description: "Those in percent of the step before; null when nobody came." })
  percentOfPrevious!: number | null
  @Field(() => Number, { nullable: true, description: "Seconds from the step before, on average." })
  averageSeconds!: number | null
  @Field(() => Number, { nullable: true, description: "Seconds from the step before, in the middle." })
  medianSeconds!: number | null
}

@ObjectType("FunnelGroup", { implements: BrokenDownType, description: "The steps of one value of the breakdown." })
export class FunnelGroupType extends BrokenDownType {
  @Field(() => ComparedPeriodEnum, { nullable: true, description: "Null when nothing is compared." })
  period!: ComparedPeriodEnum | null
  @Field(() => [FunnelStepType], { description: "The steps." })
  steps!: FunnelStepType[]
}

@ObjectType("FunnelTimeBin", { description: "How many took so long." })
export class FunnelTimeBinType {
  @Field(() => Number, { description: "Least seconds of the bin." })
  fromSeconds!: number
  @Field(() => Number, { description: "Actors who took as long." })
  count!: number
}

@ObjectType("FunnelTimeToConvert", { description: "How long actors took." })
export class FunnelTimeToConvertType {
  @Field(() => [FunnelTimeBinType], { description: "Bins from the shortest to the longest time." })
  bins!: FunnelTimeBinType[]
  @Field(() => Number, { nullable: true, description: "Seconds on average; null when nobody came through." })
  averageSeconds!: number | null
}

@ObjectType("FunnelTrendLine", { implements: BrokenDownType, description: "The share that came through, over time." })
export class FunnelTrendLineType extends BrokenDownType {
  @Field(() => ComparedPeriodEnum, { nullable: true, description: "Null when nothing is compared." })
  period!: ComparedPeriodEnum | null
  @Field(() => [SeriesPointType], { description: "Percent of those who began in each interval." })
  points!: SeriesPointType[]
  @Field(() => Number, { description: "Actors who began." })
  entered!: number
}

@ObjectType("FunnelResult", { implements: QueryAnswerType, description: "How many come through steps, and how fast." })
export class FunnelResultType extends QueryAnswerType {
  @Field(() => FunnelViewEnum, { description: "Which of the following is filled." })
  view!: FunnelViewEnum
  @Field(() => [FunnelGroupType], { description: "Of STEPS: one group, or one for each value of the breakdown." })
  groups!: FunnelGroupType[]
  @Field(() => FunnelTimeToConvertType, { nullable: true, description: "Of TIME_TO_CONVERT." })
  timeToConvert!: FunnelTimeToConvertType | null
  @Field(() => [FunnelTrendLineType], { description: "Of TREND: one line, or one for each value of the breakdown." })
  trend!: FunnelTrendLineType[]
}

@ObjectType("RetentionValue", { description: "How many came in a later interval." })
export class RetentionValueType {
  @Field(() => String, { description: "Name of the interval: `Day 1`." })
  label!: string
  @Field(() => Number, { description: "Actors." })
  count!: number
  @Field(() => Number, { nullable: true, description: "Those in percent of the first interval; null when that is 0." })
  percent!: number | null
  @Field(() => Number, { nullable: true, description: "Their sum or average; null without an `aggregation`." })
  aggregate!: number | null
}

@ObjectType("RetentionRow", { implements: BrokenDownType, description: "The actors who came in one interval." })
export class RetentionRowType extends BrokenDownType {
  @Field(() => String, { description: "Name of the interval: `Day 0`." })
  label!: string
  @Field(() => String, { description: "When it begins, with the offset of the project's zone." })
  date!: string
  @Field(() => [RetentionValueType], { description: "How many of them came in it and in each later one." })
  values!: RetentionValueType[]
}

@ObjectType("RetentionResult", { implements: QueryAnswerType, description: "Who comes back." })
export class RetentionResultType extends QueryAnswerType {
  @Field(() => [RetentionRowType], { description: "A triangle: a row for each interval, a value for each since." })
  matrix!: RetentionRowType[]
}

@ObjectType("PathPoint", { description: "A step of a path." })
export class PathPointType {
  @Field(() => String, { description: "Number and item: `1_/pricing`." })
  key!: string
  @Field(() => Int, { description: "Its number, from 1." })
  step!: number
  @Field(() => String, { description: "The page, screen or event." })
  item!: string
}

@ObjectType("PathLink", { description: "How many go from one step to another." })
export class PathLinkType {
  @Field(() => PathPointType, { description: "From where." })
  source!: PathPointType
  @Field(() => PathPointType, { description: "Where to." })
  target!: PathPointType
  @Field(() => Number, { description: "How often." })
  count!: number
  @Field(() => Number, { nullable: true, description: "Seconds between, on average." })
  averageSeconds!: number | null
}

@ObjectType("PathsResult", { implements: QueryAnswerType, description: "From which step to which actors go." })
export class PathsResultType extends QueryAnswerType {
  @Field(() => [PathLinkType], { description: "The links, those with the most first." })
  links!: PathLinkType[]
}
