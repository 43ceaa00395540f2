import { ArgsType, Field, ID, Int, ObjectType } from "type-graphql"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { JsonScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("EventActor", { description: "Somebody who did an event, and how often." })
export class EventActorType {
  readonly projectId!: ProjectId
  @Field(() => ID, { description: "UUID of the person, also where there is no profile." })
  personId!: PersonId
  @Field(() => Int, { description: "How many of the events are this person's." })
  eventCount!: number
}

export const EventActorConnection = createConnectionType("EventActor", () => EventActorType)

@ArgsType()
export class EventConditionArgs {
  @Field(() => String, { nullable: true, description: "Name of the events; every event when absent." })
  event?: string | null
  @Field(() => JsonScalar, { nullable: true, description: "Property filters, as queries take them." })
  properties?: Json
  @Field(() => String, { nullable: true, description: "ISO 8601, or relative such as `-7d`, which it is when absent." })
  dateFrom?: string | null
  @Field(() => String, { nullable: true, description: "ISO 8601, or relative; now when absent." })
  dateTo?: string | null
}
