import { Field, ID, Int, ObjectType } from "type-graphql"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("DeadLetter", { description: "An event, or a whole request, that was accepted and could not be stored." })
export class DeadLetterType {
  @Field(() => ID, { description: "Number of the letter; a younger one has a higher number." })
  id!: string
  @Field(() => String, {
    description:
      "`unreadable_row`, `unreadable_request`, `not_an_event`, `unreadable_event`, `unprocessable`, `refused_by_store` or `unknown`.",
  })
  reason!: string
  @Field(() => String, { description: "What the store or the code said." })
  detail!: string
  @Field(() => String, { nullable: true, description: "Name of the event; null for what has none." })
  event!: string | null
  @Field(() => DateTimeScalar, { description: "When the request was accepted." })
  receivedAt!: Date
  @Field(() => DateTimeScalar, { description: "When it turned out that it cannot be stored." })
  failedAt!: Date
  @Field(() => Int, { description: "Bytes of its text." })
  byteCount!: number
  @Field(() => Boolean, { description: "Whether `retryDeadLetters` takes it." })
  canRetry!: boolean
}

@ObjectType("DeadLetterPage", { description: "Some dead letters of a project, newest first." })
export class DeadLetterPageType {
  @Field(() => [DeadLetterType], { description: "The letters." })
  nodes!: readonly DeadLetterType[]
  @Field(() => Boolean, { description: "Whether there are older ones." })
  hasNextPage!: boolean
  @Field(() => ID, { nullable: true, description: "Pass it as `before` for older ones; null on an empty page." })
  endCursor!: string | null
}
