import { Field, ObjectType } from "type-graphql"
import { type EnumValue, registerEnum } from "../../../../platform/graphql/enum.js"
import { QueryAnswerType } from "./query-answer.graphql.js"

export const WebUnitEnum = registerEnum("WebUnit", "What a number of a site is of.", {
  COUNT: ["unit", "A count."],
  SECONDS: ["duration_s", "Seconds."],
  PERCENT: ["percentage", "Percent."],
})
export type WebUnitEnum = EnumValue<typeof WebUnitEnum>

@ObjectType("WebNumber", { description: "A number beside that of the time before." })
export class WebNumberType {
  @Field(() => Number, { nullable: true, description: "The number; null when there is none." })
  current!: number | null
  @Field(() => Number, { nullable: true, description: "That of the time before; null when nothing is compared." })
  previous!: number | null
}

@ObjectType("WebOverviewItem", { description: "One number of a site." })
export class WebOverviewItemType extends WebNumberType {
  @Field(() => String, { description: "Its name: `visitors`, `views`, `sessions`, `bounce rate` and others." })
  key!: string
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
}

@ObjectType("WebStatsResult", { implements: QueryAnswerType, description: "Visits of a site by a property." })
export class WebStatsResultType extends QueryAnswerType {
  @Field(() => [WebStatsRowType], { description: "A row for each value, those with the most visitors first." })
  rows!: WebStatsRowType[]
  @Field(() => Boolean, { description: "Whether more rows follow." })
  hasMore!: boolean
}
