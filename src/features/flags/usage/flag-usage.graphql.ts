import { Field, Float, ObjectType } from "type-graphql"

@ObjectType("FlagRequestUsage", { description: "What an organization has used of its flag requests." })
export class FlagUsageType {
  @Field(() => String, { description: "Calendar month in UTC, such as 2026-03." })
  month!: string
  @Field(() => Float, { description: "Requests so far; shared by all processes only where they share a Redis." })
  used!: number
  @Field(() => Float, {
    nullable: true,
    description: "`feature_flag_request_limit` of the project's settings; null when there is none.",
  })
  limit!: number | null
}
