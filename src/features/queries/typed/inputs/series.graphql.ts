import { Field, Float, InputType, Int } from "type-graphql"
import { MathPropertyOwnerEnum, SeriesMathEnum } from "./enums.graphql.js"
import { PropertyFilterInput } from "./filters.graphql.js"
import { FirstEventEnum } from "./funnel-enums.graphql.js"

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
  @Field(() => FirstEventEnum, { nullable: true, description: "Only the first event ever of an actor is of the step." })
  onlyFirst?: FirstEventEnum | null
  @Field(() => Boolean, {
    nullable: true,
    description: "The step may be left out; not the first or the last one, and only of ORDERED steps.",
  })
  isOptional?: boolean | null
}

@InputType("FunnelExclusionInput", { description: "Events that must not come between two steps." })
export class FunnelExclusionInput extends EventMatchInput {
  @Field(() => Int, { nullable: true, description: "Step behind which they count, from 0." })
  fromStep?: number | null
  @Field(() => Int, { nullable: true, description: "Step up to which they count; the last one when absent." })
  toStep?: number | null
}

@InputType("SeriesInput", { description: "A series of an insight: which events, and what of them is counted." })
export class SeriesInput extends EventMatchInput {
  @Field(() => String, { nullable: true, description: "What the answer calls it; the event's name when absent." })
  name?: string | null
  @Field(() => SeriesMathEnum, { defaultValue: SeriesMathEnum.TOTAL, description: "What is counted." })
  math!: SeriesMathEnum
  @Field(() => String, { nullable: true, description: "Property whose values SUM, AVG and their like are of." })
  mathProperty?: string | null
  @Field(() => MathPropertyOwnerEnum, {
    nullable: true,
    description: "Whose property that is; the event's when absent.",
  })
  mathPropertyOwner?: MathPropertyOwnerEnum | null
  @Field(() => Float, { nullable: true, description: "What each value of `mathProperty` is multiplied by." })
  mathMultiplier?: number | null
  @Field(() => String, { nullable: true, description: "The aggregate of HOGQL, such as `uniq(distinct_id)`." })
  mathHogQL?: string | null
  @Field(() => Int, { nullable: true, description: "Counts groups of this type instead of persons, 0 to 4." })
  mathGroupTypeIndex?: number | null
}
