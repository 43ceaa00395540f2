import { Field, Int, ObjectType } from "type-graphql"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("IngestionWarning", { description: "What one rule did to events of one name on one day (UTC)." })
class IngestionWarningType {
  @Field(() => String, { description: "`dropped`: not ingested. `changed`: ingested, but not as sent." })
  severity!: string
  @Field(() => String, { description: "Stable word for the rule, such as `missing_distinct_id`." })
  reason!: string
  @Field(() => String, { nullable: true, description: "Name of the events; null when they have none." })
  event!: string | null
  @Field(() => Int, { description: "How many events it happened to." })
  occurrences!: number
  @Field(() => DateTimeScalar, { description: "When it happened last." })
  lastAt!: Date
  @Field(() => String, { nullable: true, description: "User identifier of the newest of them." })
  distinctId!: string | null
  @Field(() => String, { nullable: true, description: "UUID of the newest of them, as the client wrote it." })
  uuid!: string | null
  @Field(() => String, { nullable: true, description: "More about the newest of them." })
  detail!: string | null
}

export const IngestionWarningConnection = createConnectionType("IngestionWarning", () => IngestionWarningType)
