import { Field, Float, ObjectType } from "type-graphql"
import { DateTimeScalar } from "../../platform/graphql/scalars.js"

@ObjectType("IngestionLag", {
  description: "How far ingestion is behind what capture has acknowledged, over all projects.",
})
export class IngestionLagType {
  @Field(() => Float, { description: "Events that capture has acknowledged." })
  accepted!: number
  @Field(() => Float, {
    description: "Of these, events that are stored, or dropped for a reason that a warning tells.",
  })
  stored!: number
  @Field(() => Float, { description: "Age in seconds of the oldest event that is neither; 0 when none waits." })
  oldestUnstoredSeconds!: number
  @Field(() => DateTimeScalar, { description: "When these numbers were read." })
  measuredAt!: Date
}
