import { Field, InputType, Int } from "type-graphql"
import { OneOfInput } from "../../../../platform/graphql/one-of.js"
import { QueryIntervalEnum, TrendsViewEnum } from "./enums.graphql.js"
import { BreakdownInput, ComparisonInput, PropertyFilterInput, QueryDatesInput } from "./filters.graphql.js"
import { StickinessComparisonEnum } from "./funnel-enums.graphql.js"
import { SeriesInput } from "./series.graphql.js"

/** What every insight can be asked with. */
@InputType("InsightInput", { description: "What every insight can be asked with." })
export abstract class InsightInput {
  @Field(() => QueryDatesInput, { nullable: true, description: "Dates; the last seven days when absent." })
  dates?: QueryDatesInput | null
  @Field(() => [PropertyFilterInput], { nullable: true, description: "What must hold for all events." })
  properties?: PropertyFilterInput[] | null
  @Field(() => Boolean, { nullable: true, description: "Leaves out what the project calls test accounts." })
  filterTestAccounts?: boolean | null
}

@OneOfInput()
@InputType("ConversionGoalInput", { description: "Which events are conversions." })
export class ConversionGoalInput {
  @Field(() => String, { nullable: true, description: "Those of this name." })
  event?: string | null
  @Field(() => Int, { nullable: true, description: "Those of the action of this number." })
  action?: number | null
}

@InputType("FormulaInput", { description: "A calculation with the series by their letters." })
export class FormulaInput {
  @Field(() => String, { description: "Such as `A / B * 100`." })
  formula!: string
  @Field(() => String, { nullable: true, description: "What its line is called." })
  name?: string | null
}

@InputType("TrendsInput", { description: "Numbers of events and of who had them, over time." })
export class TrendsInput extends InsightInput {
  @Field(() => [SeriesInput], { description: "1 to 26 series." })
  series!: SeriesInput[]
  @Field(() => QueryIntervalEnum, { nullable: true, description: "A day when absent." })
  interval?: QueryIntervalEnum | null
  @Field(() => TrendsViewEnum, { nullable: true, description: "Points when absent." })
  view?: TrendsViewEnum | null
  @Field(() => BreakdownInput, { nullable: true, description: "A line for each value." })
  breakdown?: BreakdownInput | null
  @Field(() => ComparisonInput, { nullable: true, description: "Lines of the time before as well." })
  compare?: ComparisonInput | null
  @Field(() => [FormulaInput], { nullable: true, description: "Lines that are calculated, instead of the series." })
  formulas?: FormulaInput[] | null
  @Field(() => Int, { nullable: true, description: "Each point is the average of so many." })
  smoothingIntervals?: number | null
}

@InputType("StickinessInput", { description: "In how many intervals actors were there." })
export class StickinessInput extends InsightInput {
  @Field(() => [SeriesInput], { description: "1 to 26 series." })
  series!: SeriesInput[]
  @Field(() => QueryIntervalEnum, { nullable: true, description: "A day when absent." })
  interval?: QueryIntervalEnum | null
  @Field(() => ComparisonInput, { nullable: true, description: "Series of the time before as well." })
  compare?: ComparisonInput | null
  @Field(() => Boolean, { nullable: true, description: "Counts who were there in so many intervals or more." })
  isCumulative?: boolean | null
  @Field(() => StickinessComparisonEnum, {
    nullable: true,
    description: "How `eventsEnough` is meant; AT_LEAST when absent.",
  })
  comparison?: StickinessComparisonEnum | null
  @Field(() => Int, { nullable: true, description: "Events that make an interval count; one when absent." })
  eventsEnough?: number | null
}

@InputType("LifecycleInput", { description: "Actors of each interval who are new, stay, come back, or are gone." })
export class LifecycleInput extends InsightInput {
  @Field(() => SeriesInput, { description: "Which events make an actor be there." })
  series!: SeriesInput
  @Field(() => QueryIntervalEnum, { nullable: true, description: "A day when absent." })
  interval?: QueryIntervalEnum | null
  @Field(() => Int, { nullable: true, description: "Counts groups of this type instead of persons, 0 to 4." })
  groupTypeIndex?: number | null
}

@InputType("CalendarHeatmapInput", { description: "Events or persons by day of the week and hour." })
export class CalendarHeatmapInput extends InsightInput {
  @Field(() => SeriesInput, { description: "Which events; counted are TOTAL or UNIQUE_ACTORS." })
  series!: SeriesInput
  @Field(() => ConversionGoalInput, { nullable: true, description: "Counts conversions instead of the series." })
  conversionGoal?: ConversionGoalInput | null
}
