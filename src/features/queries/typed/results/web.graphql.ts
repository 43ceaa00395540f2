import { Field, ObjectType } from "type-graphql"
import { type EnumValue, registerEnum } from "../../../../platform/graphql/enum.js"
import { QueryAnswerType } from "./query-answer.graphql.js"

export const WebUnitEnum = registerEnum("WebUnit", "What a number of a site is of.", {
  COUNT: ["unit", "A count."],
  SECONDS: ["duration_s", "Seconds."],
  PERCENT: ["percentage", "Percent."],
})
export type WebUnitEnum = EnumValue<typeof WebUnitEnum>

export const WebOverviewNumberEnum = registerEnum("WebOverviewNumber", "A number of a site.", {
  VISITORS: ["visitors", "Persons who came."],
  VIEWS: ["views", "Page and screen views."],
  SESSIONS: ["sessions", "Sessions."],
  SESSION_DURATION: ["session duration", "How long a session takes on average."],
  BOUNCE_RATE: ["bounce rate", "The share of sessions that go no further."],
  TOTAL_CONVERSIONS: ["total conversions", "How often the goal was reached."],
  UNIQUE_CONVERSIONS: ["unique conversions", "Persons who reached it."],
  CONVERSION_RATE: ["conversion rate", "The share of visitors who reached it."],
})
export type WebOverviewNumberEnum = EnumValue<typeof WebOverviewNumberEnum>

@ObjectType("WebNumber", { description: "A number beside that of the time before." })
export class WebNumberType {
  @Field(() => Number, { nullable: true, description: "The number; null when there is none." })
  current!: number | null
  @Field(() => Number, { nullable: true, description: "That of the time before; null when nothing is compared." })
  previous!: number | null
}

@ObjectType("WebOverviewItem", { description: "One number of a site." })
export class WebOverviewItemType extends WebNumberType {
  @Field(() => WebOverviewNumberEnum, { nullable: true, description: "Which number it is." })
  key!: WebOverviewNumberEnum | null
  @Field(() => WebUnitEnum, { nullable: true, description: "What it is of." })
  unit!: WebUnitEnum | null
  @Field(() => Number, { nullable: true, description: "Change in percent, whole; null when it cannot be said." })
  changePercent!: number | null
  @Field(() => Boolean, { description: "Whether more of it is worse." })
  isIncreaseBad!: boolean
}

@ObjectType("WebOverviewResult", { implements: QueryAnswerType, description: "Numbers of a site." })
export class WebOverviewResultType extends QueryAnswerType {
  @Field(() => [WebOverviewItemType], { description: "The numbers." })
  items!: WebOverviewItemType[]
}

@ObjectType("WebStatsRow", { description: "Visits of a site with one value of a property." })
export class WebStatsRowType {
  @Field(() => String, { nullable: true, description: "The value." })
  value!: string | null
  @Field(() => WebNumberType, { nullable: true, description: "Visitors." })
  visitors!: WebNumberType | null
  @Field(() => WebNumberType, { nullable: true, description: "Page and screen views." })
  views!: WebNumberType | null
  @Field(() => WebNumberType, { nullable: true, description: "Bounce rate, 0 to 1, when it was asked for." })
  bounceRate!: WebNumberType | null
  @Field(() => WebNumberType, { nullable: true, description: "Conversions, when they were asked for." })
  conversions!: WebNumberType | null
  @Field(() => WebNumberType, { nullable: true, description: "Visitors who converted, likewise." })
  convertingVisitors!: WebNumberType | null
  @Field(() => WebNumberType, { nullable: true, description: "The share of visitors who did, 0 to 1, likewise." })
  conversionRate!: WebNumberType | null
}

@ObjectType("WebStatsResult", { implements: QueryAnswerType, description: "Visits of a site by a property." })
export class WebStatsResultType extends QueryAnswerType {
  @Field(() => [WebStatsRowType], { description: "A row for each value, those with the most visitors first." })
  rows!: WebStatsRowType[]
  @Field(() => Boolean, { description: "Whether more rows follow." })
  hasMore!: boolean
}

@ObjectType("WebGoal", { description: "How often an action of the project was done." })
export class WebGoalType {
  @Field(() => String, { description: "Name of the action." })
  name!: string
  @Field(() => WebNumberType, { description: "Persons who did it." })
  convertingUsers!: WebNumberType
  @Field(() => WebNumberType, { description: "How often they did." })
  conversions!: WebNumberType
  @Field(() => WebNumberType, { description: "The share of visitors who did, 0 to 1." })
  conversionRate!: WebNumberType
}

@ObjectType("WebGoalsResult", { implements: QueryAnswerType, description: "Who did the actions of a project." })
export class WebGoalsResultType extends QueryAnswerType {
  @Field(() => [WebGoalType], { description: "An item for each action." })
  goals!: WebGoalType[]
  @Field(() => Boolean, { description: "Whether more follow." })
  hasMore!: boolean
}

@ObjectType("WebExternalClicks", { description: "Clicks on links to one address of another site." })
export class WebExternalClicksType {
  @Field(() => String, { description: "The address." })
  url!: string
  @Field(() => WebNumberType, { description: "Who clicked." })
  visitors!: WebNumberType
  @Field(() => WebNumberType, { description: "How often." })
  clicks!: WebNumberType
}

@ObjectType("WebExternalClicksResult", { implements: QueryAnswerType, description: "Links that were clicked." })
export class WebExternalClicksResultType extends QueryAnswerType {
  @Field(() => [WebExternalClicksType], { description: "A row for each address, those with the most clicks first." })
  rows!: WebExternalClicksType[]
  @Field(() => Boolean, { description: "Whether more rows follow." })
  hasMore!: boolean
}

@ObjectType("WebPageUrl", { description: "An address of a page." })
export class WebPageUrlType {
  @Field(() => String, { description: "The address." })
  url!: string
  @Field(() => Number, { description: "How often it was seen." })
  views!: number
}

@ObjectType("WebPageUrlSearchResult", { implements: QueryAnswerType, description: "Addresses of pages." })
export class WebPageUrlSearchResultType extends QueryAnswerType {
  @Field(() => [WebPageUrlType], { description: "Those with the most views first." })
  rows!: WebPageUrlType[]
  @Field(() => Boolean, { description: "Whether more rows follow." })
  hasMore!: boolean
}

@ObjectType("WebVitalsPath", { description: "What was measured of the pages of one path." })
export class WebVitalsPathType {
  @Field(() => String, { description: "The path." })
  path!: string
  @Field(() => Number, { description: "The percentile of what was measured." })
  value!: number
}

@ObjectType("WebVitalsPathsResult", { implements: QueryAnswerType, description: "How fast pages are, in three bands." })
export class WebVitalsPathsResultType extends QueryAnswerType {
  @Field(() => [WebVitalsPathType], { description: "Good ones, at most 20, the fastest first." })
  good!: WebVitalsPathType[]
  @Field(() => [WebVitalsPathType], { description: "Those that need improvements, likewise." })
  fair!: WebVitalsPathType[]
  @Field(() => [WebVitalsPathType], { description: "Poor ones, likewise." })
  poor!: WebVitalsPathType[]
}
