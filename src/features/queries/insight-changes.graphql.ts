import { Field, Int, ObjectType } from "type-graphql"
import { DateTimeScalar } from "../../platform/graphql/scalars.js"

@ObjectType("InsightChange", { description: "A kept answer that misses events which have been stored since." })
export class InsightChangeType {
  @Field(() => Int, { description: "Index of its query among the inputs." })
  index!: number
  @Field(() => String, { description: "Key of the answer." })
  key!: string
  @Field(() => DateTimeScalar, { description: "When its calculation began." })
  computedAt!: Date
  @Field(() => DateTimeScalar, { description: "Every event that was accepted until then is in it." })
  dataThrough!: Date
}
