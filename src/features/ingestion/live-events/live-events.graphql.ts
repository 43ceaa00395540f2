import { Field, ID, Int, ObjectType } from "type-graphql"
import type { JsonObject } from "../../../kernel/json.js"
import { JsonScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("LiveEvent", { description: "An event that has just been stored." })
export class LiveEventType {
  @Field(() => String, { description: "Pass it as `since` to go on behind this event. Of this project alone." })
  cursor!: string
  @Field(() => ID, { description: "UUID of the event." })
  uuid!: string
  @Field(() => String, { description: "Name of the event." })
  event!: string
  @Field(() => String, { description: "Whom it is about, as the client wrote it." })
  distinctId!: string
  @Field(() => ID, { description: "UUID of the person, also where there is no profile." })
  personId!: string
  @Field(() => String, { description: "Corrected time of the event, ISO 8601 UTC." })
  timestamp!: string
  @Field(() => String, { description: "When capture accepted it, ISO 8601 UTC." })
  createdAt!: string
  @Field(() => JsonScalar, {
    nullable: true,
    description: "Properties as stored; null when they are larger than 4,096 characters of JSON.",
  })
  properties!: JsonObject | null
  @Field(() => Int, {
    description: "Events that were left out before this one: the reader was slow, or there were too many at once.",
  })
  missedBefore!: number
}
