import { Field, InputType, Int } from "type-graphql"
import type { Json } from "../../../../kernel/json.js"
import { OneOfInput } from "../../../../platform/graphql/one-of.js"
import { JsonScalar } from "../../../../platform/graphql/scalars.js"
import { BreakdownTypeEnum, PropertyOperatorEnum } from "./enums.graphql.js"
import { FlagConditionInput, RecordingConditionInput } from "./source-filters.graphql.js"

@InputType("PropertyConditionInput", { description: "A property compared with a value." })
export class PropertyConditionInput {
  @Field(() => String, { description: "Name of the property." })
  key!: string
  @Field(() => PropertyOperatorEnum, {
    defaultValue: PropertyOperatorEnum.EXACT,
    description: "How it is compared.",
  })
  operator!: PropertyOperatorEnum
  @Field(() => JsonScalar, {
    nullable: true,
    description: "A text, number or boolean, or a list of them; none for IS_SET and IS_NOT_SET.",
  })
  value?: Json
}

@InputType("GroupConditionInput", { description: "A property of a group compared with a value." })
export class GroupConditionInput extends PropertyConditionInput {
  @Field(() => Int, { description: "Index of the group type, 0 to 4." })
  groupTypeIndex!: number
}

@InputType("CohortConditionInput", { description: "Whether the person belongs to a cohort." })
export class CohortConditionInput {
  @Field(() => Int, { description: "Number of the cohort." })
  id!: number
  @Field(() => Boolean, { defaultValue: false, description: "Those who do not belong to it." })
  isOutside!: boolean
}

@OneOfInput()
@InputType("PropertyFilterInput", {
  description: "One condition on events, by what it is about; all of a list must hold.",
})
export class PropertyFilterInput {
  @Field(() => PropertyConditionInput, { nullable: true, description: "A property of the event." })
  event?: PropertyConditionInput | null
  @Field(() => PropertyConditionInput, { nullable: true, description: "A property of its person." })
  person?: PropertyConditionInput | null
  @Field(() => GroupConditionInput, { nullable: true, description: "A property of its group." })
  group?: GroupConditionInput | null
  @Field(() => PropertyConditionInput, { nullable: true, description: "A property of its session." })
  session?: PropertyConditionInput | null
  @Field(() => PropertyConditionInput, {
    nullable: true,
    description: "`selector`, `text`, `tag_name` or `href` of the element that was clicked or one around it.",
  })
  element?: PropertyConditionInput | null
  @Field(() => PropertyConditionInput, { nullable: true, description: "A column of events, such as `distinct_id`." })
  metadata?: PropertyConditionInput | null
  @Field(() => CohortConditionInput, { nullable: true, description: "A cohort of its person." })
  cohort?: CohortConditionInput | null
  @Field(() => FlagConditionInput, { nullable: true, description: "What a flag was for the event." })
  flag?: FlagConditionInput | null
  @Field(() => RecordingConditionInput, { nullable: true, description: "The recording of its session." })
  recording?: RecordingConditionInput | null
  @Field(() => String, { nullable: true, description: "A HogQL expression that must be true." })
  hogql?: string | null
  @Field(() => [PropertyFilterInput], { nullable: true, description: "All of these." })
  all?: PropertyFilterInput[] | null
  @Field(() => [PropertyFilterInput], { nullable: true, description: "Any of these." })
  any?: PropertyFilterInput[] | null
}

@InputType("QueryDatesInput", { description: "Dates of a query, of the project's time zone." })
export class QueryDatesInput {
  @Field(() => String, { nullable: true, description: "A date, a time, or a distance such as `-7d`, the default." })
  from?: string | null
  @Field(() => String, { nullable: true, description: "Likewise; a date counts to its end. Now when absent." })
  to?: string | null
  @Field(() => Boolean, { nullable: true, description: "Whether times count exactly, and not to the end of the day." })
  isExact?: boolean | null
}

@InputType("BreakdownPropertyInput", { description: "A property by whose values an insight is told apart." })
export class BreakdownPropertyInput {
  @Field(() => String, { description: "Name of the property, or the HogQL expression." })
  key!: string
  @Field(() => BreakdownTypeEnum, { defaultValue: BreakdownTypeEnum.EVENT, description: "What it is a property of." })
  type!: BreakdownTypeEnum
  @Field(() => Int, { nullable: true, description: "Index of the group type, 0 to 4." })
  groupTypeIndex?: number | null
  @Field(() => Int, { nullable: true, description: "Numbers in so many bins, 1 to 100; only trends have them." })
  binCount?: number | null
  @Field(() => Boolean, {
    nullable: true,
    description: "Takes addresses that differ in parameters, fragment or a slash at the end as one.",
  })
  normalizesUrl?: boolean | null
}

@InputType("BreakdownInput", { description: "What an insight is told apart by: properties, or cohorts." })
export class BreakdownInput {
  @Field(() => [BreakdownPropertyInput], { nullable: true, description: "One to five properties." })
  properties?: BreakdownPropertyInput[] | null
  @Field(() => [String], { nullable: true, description: "Numbers of cohorts; `all` is everybody." })
  cohorts?: string[] | null
  @Field(() => Int, { nullable: true, description: "Most values that are shown each, 1 to 1,000; 25 when absent." })
  limit?: number | null
  @Field(() => Boolean, { nullable: true, description: "Leaves out the values beyond the limit." })
  hidesOther?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Applies the project's rules for paths to every value." })
  cleansPaths?: boolean | null
}

@InputType("ComparisonInput", { description: "Compares with the time before." })
export class ComparisonInput {
  @Field(() => String, { nullable: true, description: "How much earlier, such as `-1y`; just before when absent." })
  to?: string | null
}
