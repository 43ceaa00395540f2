import { Field, InputType, Int } from "type-graphql"
import { MathPropertyOwnerEnum, SeriesMathEnum } from "./enums.graphql.js"
import { PropertyFilterInput } from "./filters.graphql.js"

@InputType("EventMatchInput", {
  description: "Some events: those of a name or of an action. Every event without either.",
})
export class EventMatchInput {
  @Field(() => String, { nullable: true, description: "Name of the event." })
  event?: string | null
  @Field(() => Int, { nullable: true, description: "Number of the action; not together with `event`." })
  action?: number | null
  @Field(() => [PropertyFilterInput], { nullable: true, description: "What must hold for them." })
  properties?: PropertyFilterInput[] | null
}

@InputType("FunnelStepInput", { description: "A step of a funnel: which events come to it." })
export class FunnelStepInput extends EventMatchInput {
  @Field(() => String, { nullable: true, description: "What the answer calls it; the event's name when absent." })
  name?: string | null
}

@InputType("FunnelExclusionInput", { description: "Events that must not come between two steps." })
export class FunnelExclusionInput extends EventMatchInput {
  @Field(() => Int, { nullable: true, description: "Step behind which they count, from 0." })
  fromStep?: number | null
  @Field(() => Int, { nullable: true, description: "Step up to which they count; the last one when absent." })
  toStep?: number | null
}

@InputType("SeriesInput", { description: "A series of an insight: which events, and what of them is counted." })
export class SeriesInput extends FunnelStepInput {
  @Field(() => SeriesMathEnum, { defaultValue: SeriesMathEnum.TOTAL, description: "What is counted." })
  math!: SeriesMathEnum
  @Field(() => String, { nullable: true, description: "Property whose values SUM, AVG and their like are of." })
  mathProperty?: string | null
  @Field(() => MathPropertyOwnerEnum, {
    nullable: true,
    description: "Whose property that is; the event's when absent.",
  })
  mathPropertyOwner?: MathPropertyOwnerEnum | null
  @Field(() => String, { nullable: true, description: "The aggregate of HOGQL, such as `uniq(distinct_id)`." })
  mathHogQL?: string | null
  @Field(() => Int, { nullable: true, description: "Counts groups of this type instead of persons, 0 to 4." })
  mathGroupTypeIndex?: number | null
}
