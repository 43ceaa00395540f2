import { Field, ID, InputType, Int } from "type-graphql"
import type { Json } from "../../../../kernel/json.js"
import { OneOfInput } from "../../../../platform/graphql/one-of.js"
import { JsonScalar } from "../../../../platform/graphql/scalars.js"
import { PropertyFilterInput, QueryDatesInput } from "./filters.graphql.js"
import { LifecycleStatusEnum, PropertySubjectEnum, StickinessComparisonEnum } from "./funnel-enums.graphql.js"
import { FunnelInput, PathsInput, RetentionInput } from "./funnel-inputs.graphql.js"
import { LifecycleInput, StickinessInput, TrendsInput } from "./insights.graphql.js"

@InputType("HogQLInput", { description: "A SELECT in HogQL." })
export class HogQLInput {
  @Field(() => String, { description: "The text." })
  query!: string
  @Field(() => JsonScalar, { nullable: true, description: "Values of placeholders by name: `{name}` in the text." })
  values?: Json
  @Field(() => JsonScalar, { nullable: true, description: "Variables by id: `{variables.code_name}` in the text." })
  variables?: Json
  @Field(() => QueryDatesInput, { nullable: true, description: "Dates of `{filters}` in the text." })
  dates?: QueryDatesInput | null
  @Field(() => [PropertyFilterInput], { nullable: true, description: "Conditions of `{filters}` in the text." })
  properties?: PropertyFilterInput[] | null
  @Field(() => Boolean, { nullable: true, description: "Leaves out test accounts in `{filters}`." })
  filterTestAccounts?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Gives the SQL and its plan as well; needs `query:write`." })
  explain?: boolean | null
}

/** Which rows of a table are given. */
@InputType("TablePageInput", { description: "Which rows of a table are given." })
abstract class TablePageInput {
  @Field(() => [String], { nullable: true, description: "HogQL expressions to order by, such as `count() DESC`." })
  orderBy?: string[] | null
  @Field(() => Int, { nullable: true, description: "Rows; 100 when absent." })
  limit?: number | null
  @Field(() => Int, { nullable: true, description: "Rows to skip." })
  offset?: number | null
}

@InputType("EventsInput", { description: "A table of events, or of aggregates over them." })
export class EventsInput extends TablePageInput {
  @Field(() => [String], { defaultValue: ["*"], description: "HogQL expressions; `*` and `person` are objects." })
  select!: string[]
  @Field(() => [String], { nullable: true, description: "HogQL conditions; one with an aggregate is a HAVING." })
  where?: string[] | null
  @Field(() => [PropertyFilterInput], { nullable: true, description: "What must hold for them." })
  properties?: PropertyFilterInput[] | null
  @Field(() => Boolean, { nullable: true, description: "Leaves out what the project calls test accounts." })
  filterTestAccounts?: boolean | null
  @Field(() => String, { nullable: true, description: "Only events of this name." })
  event?: string | null
  @Field(() => Int, { nullable: true, description: "Only events of the action of this number." })
  action?: number | null
  @Field(() => ID, { nullable: true, description: "Only events of the person with this UUID." })
  personId?: string | null
  @Field(() => String, { nullable: true, description: "A time or a distance; `-24h` when absent, `all` for no bound." })
  after?: string | null
  @Field(() => String, { nullable: true, description: "A time or a distance; now when absent, `all` for no bound." })
  before?: string | null
}

@InputType("SessionsInput", { description: "A table of sessions, or of aggregates over them." })
export class SessionsInput extends EventsInput {
  @Field(() => [PropertyFilterInput], {
    nullable: true,
    description: "What must hold for one event of the session, as the other filters that are about events.",
  })
  eventProperties?: PropertyFilterInput[] | null
}

@InputType("PropertyValuesInput", { description: "Values that a property has, those that most have first." })
export class PropertyValuesInput {
  @Field(() => String, { description: "Name of the property." })
  key!: string
  @Field(() => PropertySubjectEnum, { nullable: true, description: "Whose property it is; the event's when absent." })
  subject?: PropertySubjectEnum | null
  @Field(() => String, { nullable: true, description: "Only values that contain this, in any case." })
  search?: string | null
  @Field(() => [String], { nullable: true, description: "Only of events of these names." })
  events?: string[] | null
  @Field(() => Boolean, { nullable: true, description: "Whether the name is one of a column." })
  isColumn?: boolean | null
}

@InputType("TrendActorsInput", { description: "The persons behind one number of a trend." })
export class TrendActorsInput {
  @Field(() => TrendsInput, { description: "The trend." })
  of!: TrendsInput
  @Field(() => Int, { nullable: true, description: "Index of the series; 0 when absent." })
  series?: number | null
  @Field(() => String, { nullable: true, description: "Day of the point; the whole range when absent." })
  day?: string | null
  @Field(() => [String], { nullable: "itemsAndList", description: "Values of the breakdown, as the answer has them." })
  breakdown?: (string | null)[] | null
  @Field(() => Boolean, { nullable: true, description: "Whether the number is of the time before." })
  isPrevious?: boolean | null
}

@InputType("StickinessActorsInput", { description: "The persons behind one number of a stickiness." })
export class StickinessActorsInput {
  @Field(() => StickinessInput, { description: "The stickiness." })
  of!: StickinessInput
  @Field(() => Int, { nullable: true, description: "Index of the series; 0 when absent." })
  series?: number | null
  @Field(() => Int, { description: "Number of intervals." })
  intervals!: number
  @Field(() => StickinessComparisonEnum, { nullable: true, description: "EXACTLY when absent." })
  comparison?: StickinessComparisonEnum | null
  @Field(() => Boolean, { nullable: true, description: "Whether the number is of the time before." })
  isPrevious?: boolean | null
}

@InputType("LifecycleActorsInput", { description: "The persons behind one number of a lifecycle." })
export class LifecycleActorsInput {
  @Field(() => LifecycleInput, { description: "The lifecycle." })
  of!: LifecycleInput
  @Field(() => String, { description: "Day of the point." })
  day!: string
  @Field(() => LifecycleStatusEnum, { description: "Which of its actors." })
  status!: LifecycleStatusEnum
}

@InputType("RetentionActorsInput", { description: "The persons of one row of a retention." })
export class RetentionActorsInput {
  @Field(() => RetentionInput, { description: "The retention." })
  of!: RetentionInput
  @Field(() => Int, { description: "Index of the interval in which they came." })
  interval!: number
  @Field(() => [String], { nullable: "itemsAndList", description: "Values of the breakdown, as the answer has them." })
  breakdown?: (string | null)[] | null
}

@InputType("FunnelActorsInput", { description: "The persons behind one number of a funnel." })
export class FunnelActorsInput {
  @Field(() => FunnelInput, { description: "The funnel." })
  of!: FunnelInput
  @Field(() => Int, {
    nullable: true,
    description: "Who came to this step, from 1, or further; -n those who left before step n.",
  })
  step?: number | null
  @Field(() => [Int], { nullable: true, description: "Who came to one of these steps and no further." })
  exactSteps?: number[] | null
  @Field(() => String, { nullable: true, description: "Of a TREND: who began in the interval of this day." })
  startedIn?: string | null
  @Field(() => Boolean, { nullable: true, description: "Of a TREND: those who did not come through." })
  isDropOff?: boolean | null
  @Field(() => [String], { nullable: "itemsAndList", description: "Values of the breakdown, as the answer has them." })
  breakdown?: (string | null)[] | null
}

@InputType("PathActorsInput", { description: "The persons behind one link of paths." })
export class PathActorsInput {
  @Field(() => PathsInput, { description: "The paths." })
  of!: PathsInput
  @Field(() => String, { nullable: true, description: "`source` of the link." })
  from?: string | null
  @Field(() => String, { nullable: true, description: "`target` of the link." })
  to?: string | null
  @Field(() => String, { nullable: true, description: "Step at which their path ended." })
  endedAt?: string | null
}

@OneOfInput()
@InputType("ActorsSourceInput", {
  description: "Which persons: those behind a number of an insight, or of a HogQL text.",
})
export class ActorsSourceInput {
  @Field(() => String, { nullable: true, description: "A SELECT whose first column are persons' ids." })
  hogql?: string | null
  @Field(() => TrendActorsInput, { nullable: true, description: "Of a trend." })
  trends?: TrendActorsInput | null
  @Field(() => FunnelActorsInput, { nullable: true, description: "Of a funnel." })
  funnel?: FunnelActorsInput | null
  @Field(() => RetentionActorsInput, { nullable: true, description: "Of a retention." })
  retention?: RetentionActorsInput | null
  @Field(() => PathActorsInput, { nullable: true, description: "Of paths." })
  paths?: PathActorsInput | null
  @Field(() => StickinessActorsInput, { nullable: true, description: "Of a stickiness." })
  stickiness?: StickinessActorsInput | null
  @Field(() => LifecycleActorsInput, { nullable: true, description: "Of a lifecycle." })
  lifecycle?: LifecycleActorsInput | null
}

@InputType("ActorsInput", { description: "A table of persons." })
export class ActorsInput extends TablePageInput {
  @Field(() => [String], {
    nullable: true,
    description: "HogQL expressions; `person`, `id` and `created_at` when absent.",
  })
  select?: string[] | null
  @Field(() => ActorsSourceInput, { nullable: true, description: "Which persons; all when absent." })
  source?: ActorsSourceInput | null
  @Field(() => String, { nullable: true, description: "Text in name, e-mail address or an id." })
  search?: string | null
  @Field(() => [PropertyFilterInput], { nullable: true, description: "What must hold for them." })
  properties?: PropertyFilterInput[] | null
}

@InputType("GroupsInput", { description: "A table of groups: name and key, and what else is selected." })
export class GroupsInput extends TablePageInput {
  @Field(() => Int, { description: "Index of the group type, 0 to 4." })
  groupTypeIndex!: number
  @Field(() => [String], { nullable: true, description: "HogQL expressions behind name and key." })
  select?: string[] | null
  @Field(() => String, { nullable: true, description: "Text in name or key." })
  search?: string | null
  @Field(() => [PropertyFilterInput], { nullable: true, description: "What must hold for them." })
  properties?: PropertyFilterInput[] | null
}
