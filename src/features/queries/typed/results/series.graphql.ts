import { Field, Int, InterfaceType, ObjectType } from "type-graphql"
import { type EnumValue, registerEnum } from "../../../../platform/graphql/enum.js"
import { SeriesMathEnum } from "../inputs/enums.graphql.js"
import { LifecycleStatusEnum } from "../inputs/funnel-enums.graphql.js"
import { QueryAnswerType } from "./query-answer.graphql.js"

export const ComparedPeriodEnum = registerEnum("ComparedPeriod", "Which of two periods a line is of.", {
  CURRENT: ["current", "The dates of the query."],
  PREVIOUS: ["previous", "The time before."],
})
export type ComparedPeriodEnum = EnumValue<typeof ComparedPeriodEnum>

@ObjectType("HeatmapCell", { description: "A number of one hour of a day of the week." })
class HeatmapCellType {
  @Field(() => Int, { description: "Day of the week, from 1, a Monday." })
  day!: number
  @Field(() => Int, { description: "Hour, from 0." })
  hour!: number
  @Field(() => Number, { description: "The number." })
  value!: number
}

@ObjectType("HeatmapDay", { description: "A number of a day of the week." })
class HeatmapDayType {
  @Field(() => Int, { description: "Day of the week, from 1, a Monday." })
  day!: number
  @Field(() => Number, { description: "The number." })
  value!: number
}

@ObjectType("HeatmapHour", { description: "A number of an hour on all days." })
class HeatmapHourType {
  @Field(() => Int, { description: "Hour, from 0." })
  hour!: number
  @Field(() => Number, { description: "The number." })
  value!: number
}

@ObjectType("CalendarHeatmapResult", { implements: QueryAnswerType, description: "Numbers by weekday and hour." })
export class CalendarHeatmapResultType extends QueryAnswerType {
  @Field(() => [HeatmapCellType], { description: "Hours of days with a number other than 0." })
  cells!: HeatmapCellType[]
  @Field(() => [HeatmapDayType], { description: "Likewise of days." })
  days!: HeatmapDayType[]
  @Field(() => [HeatmapHourType], { description: "Likewise of hours." })
  hours!: HeatmapHourType[]
  @Field(() => Number, { description: "Of all: persons are counted once." })
  total!: number
}

@ObjectType("QuerySeries", { description: "The series of a query that a line is of." })
export class QuerySeriesType {
  @Field(() => Int, { description: "Its index." })
  order!: number
  @Field(() => String, { nullable: true, description: "Name of the event; null for every event and for actions." })
  event!: string | null
  @Field(() => Int, { nullable: true, description: "Number of the action." })
  action!: number | null
  @Field(() => String, { description: "Name of the event or the action." })
  name!: string
  @Field(() => String, { nullable: true, description: "What the query calls it." })
  customName!: string | null
  @Field(() => SeriesMathEnum, { nullable: true, description: "What is counted." })
  math!: SeriesMathEnum | null
}

@ObjectType("SeriesPoint", { description: "One number of a line." })
export class SeriesPointType {
  @Field(() => String, { description: "Begin of its interval: `2024-03-01`, of hours and minutes with the time." })
  day!: string
  @Field(() => String, { description: "The same for people: `1-Mar-2024`." })
  label!: string
  @Field(() => Number, { nullable: true, description: "The number; null when the engine has none." })
  value!: number | null
}

/** The value of a breakdown that something is of. */
@InterfaceType("BrokenDown", { description: "What is told apart by a breakdown." })
export abstract class BrokenDownType {
  @Field(() => [String], {
    nullable: "itemsAndList",
    description: "A value for each property of the breakdown, null for none; null without a breakdown.",
  })
  breakdown!: (string | null)[] | null
  @Field(() => Boolean, { description: "Whether it stands for all values beyond the limit." })
  isOther!: boolean
}

@ObjectType("TrendsSeries", { implements: BrokenDownType, description: "One line of a trend." })
export class TrendsSeriesType extends BrokenDownType {
  @Field(() => String, { description: "What it is called." })
  label!: string
  @Field(() => QuerySeriesType, { nullable: true, description: "The series that it is of; null for formulas." })
  series!: QuerySeriesType | null
  @Field(() => ComparedPeriodEnum, { nullable: true, description: "Null when nothing is compared." })
  period!: ComparedPeriodEnum | null
  @Field(() => [SeriesPointType], { description: "A number for each interval; none of a TOTAL." })
  points!: SeriesPointType[]
  @Field(() => Number, { nullable: true, description: "The number of a TOTAL, else the sum of the points." })
  total!: number | null
}

@ObjectType("TrendsResult", { implements: QueryAnswerType, description: "Numbers over time." })
export class TrendsResultType extends QueryAnswerType {
  @Field(() => [TrendsSeriesType], { description: "The lines: of each series, value of the breakdown and period." })
  series!: TrendsSeriesType[]
}

@ObjectType("StickinessPoint", { description: "How many actors were there in so many intervals." })
export class StickinessPointType {
  @Field(() => Int, { description: "Number of intervals." })
  intervals!: number
  @Field(() => String, { description: "The same for people: `2 days`." })
  label!: string
  @Field(() => Number, { description: "How many actors." })
  actors!: number
}

@ObjectType("StickinessSeries", { description: "One line of a stickiness." })
export class StickinessSeriesType {
  @Field(() => String, { description: "What it is called." })
  label!: string
  @Field(() => QuerySeriesType, { nullable: true, description: "The series that it is of." })
  series!: QuerySeriesType | null
  @Field(() => ComparedPeriodEnum, { nullable: true, description: "Null when nothing is compared." })
  period!: ComparedPeriodEnum | null
  @Field(() => [StickinessPointType], { description: "From one interval up to all." })
  points!: StickinessPointType[]
  @Field(() => Number, { description: "Actors who were there at all." })
  total!: number
}

@ObjectType("StickinessResult", {
  implements: QueryAnswerType,
  description: "In how many intervals actors were there.",
})
export class StickinessResultType extends QueryAnswerType {
  @Field(() => [StickinessSeriesType], { description: "The lines: of each series and period." })
  series!: StickinessSeriesType[]
}

@ObjectType("LifecycleSeries", { description: "The actors of one status, over time." })
export class LifecycleSeriesType {
  @Field(() => LifecycleStatusEnum, { description: "Which of the actors." })
  status!: LifecycleStatusEnum
  @Field(() => String, { description: "What it is called." })
  label!: string
  @Field(() => [SeriesPointType], { description: "A number for each interval; those who are gone count below 0." })
  points!: SeriesPointType[]
  @Field(() => Number, { nullable: true, description: "The sum of the points." })
  total!: number | null
}

@ObjectType("LifecycleResult", {
  implements: QueryAnswerType,
  description: "Who is new, stays, comes back, or is gone.",
})
export class LifecycleResultType extends QueryAnswerType {
  @Field(() => [LifecycleSeriesType], { description: "A line for each status." })
  series!: LifecycleSeriesType[]
}
