import { ArgsType, Field, Float, ID, InputType, ObjectType } from "type-graphql"
import type { UserId } from "../../../kernel/ids.js"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { registerEnum } from "../../../platform/graphql/enum.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"
import type { EventDeletionReason } from "./event-deletions.types.js"

const EventDeletionReasonEnum = registerEnum("EventDeletionReason", "Why events are deleted.", {
  REQUESTED: ["requested", "Somebody asked for it."],
  RETENTION: ["retention", "They are older than what the project keeps."],
})

const NAME = { description: "Name of the property." }
const VALUES = {
  nullable: true,
  description: "Its values as texts, any of which will do; when absent, every event that has the property.",
}

@ObjectType("SelectedProperty", { description: "A property by which events are deleted." })
class SelectedPropertyType {
  @Field(() => String, NAME)
  name!: string
  @Field(() => [String], VALUES)
  values!: readonly string[] | null
}

@InputType("SelectedPropertyInput", { description: "A property by which events are deleted." })
class SelectedPropertyInput {
  @Field(() => String, NAME)
  name!: string
  @Field(() => [String], VALUES)
  values?: string[] | null
}

@ObjectType("EventSelection", { description: "Which events: those that meet everything that is not null." })
class EventSelectionType {
  @Field(() => [String], { nullable: true, description: "Names, any of which will do." })
  names!: readonly string[] | null
  @Field(() => String, { nullable: true, description: "Those since this time, in ISO 8601." })
  from!: string | null
  @Field(() => String, { nullable: true, description: "Those before this time, in ISO 8601." })
  before!: string | null
  @Field(() => [SelectedPropertyType], { description: "Properties, all of which they have." })
  properties!: readonly SelectedPropertyType[]
}

@ObjectType("EventDeletion", { description: "A deletion of events, and how far it is." })
export class EventDeletionType {
  @Field(() => ID, { description: "Number of the deletion." })
  id!: number
  @Field(() => EventDeletionReasonEnum, { description: "Why they are deleted." })
  reason!: EventDeletionReason
  @Field(() => EventSelectionType, { description: "Which events." })
  selection!: EventSelectionType
  @Field(() => DateTimeScalar, { description: "When it was asked for; what is accepted later stays." })
  requestedAt!: Date
  readonly requestedById!: UserId | null
  @Field(() => Float, { description: "How many events there were then." })
  eventCount!: number
  @Field(() => Float, { description: "How many of them were left at the last look." })
  remainingCount!: number
  @Field(() => DateTimeScalar, { nullable: true, description: "When all of them were gone; null before." })
  finishedAt!: Date | null
}

export const EventDeletionConnection = createConnectionType("EventDeletion", () => EventDeletionType)

@ObjectType("EventDeletionOutcome", { description: "What a request to delete events came to." })
export class EventDeletionOutcomeType {
  @Field(() => Float, { description: "How many events there are." })
  eventCount!: number
  @Field(() => EventDeletionType, { nullable: true, description: "The deletion; null for a dry run." })
  deletion!: EventDeletionType | null
}

@ArgsType()
export class DeleteEventsArgs {
  @Field(() => [String], { nullable: true, description: "Events of these names, at most 100." })
  names?: string[] | null
  @Field(() => DateTimeScalar, { nullable: true, description: "Events since then." })
  from?: Date | null
  @Field(() => DateTimeScalar, { nullable: true, description: "Events before then." })
  before?: Date | null
  @Field(() => [SelectedPropertyInput], { nullable: true, description: "Events with all of these properties." })
  properties?: SelectedPropertyInput[] | null
  @Field(() => Boolean, { defaultValue: true, description: "Whether they are only counted." })
  dryRun!: boolean
}
