import { ArgsType, Field, ID, Int, ObjectType } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("EventElementAttribute", { description: "An attribute of an element of a page." })
class ElementAttributeType {
  @Field(() => String, { description: "Name of the attribute." })
  name!: string
  @Field(() => String, { description: "Its value." })
  value!: string
}

@ObjectType("EventElement", { description: "An element of a page as autocapture has told it." })
export class EventElementType {
  @Field(() => String, { description: "Its tag, in small letters." })
  tagName!: string
  @Field(() => String, { nullable: true, description: "Its text, at most 400 characters." })
  text!: string | null
  @Field(() => String, { nullable: true, description: "Address that it leads to." })
  href!: string | null
  @Field(() => String, { nullable: true, description: "Its attribute `id`." })
  elementId!: string | null
  @Field(() => [String], { description: "Its classes." })
  classes!: readonly string[]
  @Field(() => Int, { nullable: true, description: "Its place among the children of its parent." })
  nthChild!: number | null
  @Field(() => Int, { nullable: true, description: "Its place among those of its tag." })
  nthOfType!: number | null
  @Field(() => [ElementAttributeType], { description: "All attributes that were sent." })
  attributes!: readonly ElementAttributeType[]
}

@ObjectType("Event", { description: "Something that happened, as it is stored." })
export class StoredEventType {
  readonly projectId!: ProjectId
  @Field(() => ID, { description: "UUID of the event." })
  id!: string
  @Field(() => String, { description: "Name of the event." })
  event!: string
  @Field(() => String, { description: "Distinct id under which it came." })
  distinctId!: string
  @Field(() => DateTimeScalar, { description: "When it happened, by a clock that was put right." })
  timestamp!: Date
  @Field(() => JsonScalar, { description: "Its properties, an object." })
  properties!: JsonObject
  @Field(() => ID, { nullable: true, description: "Id of its session; null outside of any." })
  sessionId!: string | null
  @Field(() => String, { description: "Its elements as `elements_chain` of queries has them; empty for most." })
  elementsChain!: string
}

/** An event as readers see it. */
export type StoredEvent = Readonly<StoredEventType>

@ArgsType()
export class StoredEventArgs {
  @Field(() => ID, { nullable: true, description: "Only events of this session." })
  sessionId?: string | null
  @Field(() => ID, { nullable: true, description: "Only events of the person with this UUID." })
  personId?: string | null
  @Field(() => String, { nullable: true, description: "Only events of the person with this distinct id." })
  distinctId?: string | null
  @Field(() => String, { nullable: true, description: "Only events of the group of this key, of `groupTypeIndex`." })
  groupKey?: string | null
  @Field(() => Int, { nullable: true, description: "Index of the type of `groupKey`, 0 to 4." })
  groupTypeIndex?: number | null
  @Field(() => String, { nullable: true, description: "Only events of this name." })
  event?: string | null
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Only events since then; those of the last 90 days when absent, of a session all.",
  })
  from?: Date | null
  @Field(() => DateTimeScalar, { nullable: true, description: "Only events before then." })
  before?: Date | null
  @Field(() => Int, { defaultValue: 50, description: "How many at most, 1 to 100." })
  first!: number
}
