import { ArgsType, Field, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../kernel/json.js"
import { ConnectionArgs, createConnectionType } from "../../platform/graphql/connection.js"
import { DateTimeScalar, JsonScalar } from "../../platform/graphql/scalars.js"

@ObjectType("Action", { description: "A name for the events that match any of some descriptions." })
export class ActionType {
  @Field(() => Int, { description: "Number of the action." })
  id!: number
  @Field(() => String, { description: "Name for people; queries may ask by it." })
  name!: string
  @Field(() => String, { description: "Free text." })
  description!: string
  @Field(() => JsonScalar, { description: "Descriptions of events, with the field names of the REST API." })
  steps!: Json
  @Field(() => Boolean, { description: "Soft-delete flag." })
  deleted!: boolean
  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  updatedAt!: Date
}

export const ActionConnection = createConnectionType("Action", () => ActionType)

@ArgsType()
export class ActionListArgs extends ConnectionArgs {
  @Field(() => String, { nullable: true, description: "Part of the name, any case." })
  search?: string | null
}

@InputType("ActionInput", { description: "Writable fields of an action; an absent field stays as it is." })
export class ActionInput {
  @Field(() => String, {
    nullable: true,
    description: "At most 400 characters; no two actions of a project share one.",
  })
  name?: string | null
  @Field(() => String, { nullable: true, description: "Free text." })
  description?: string | null
  @Field(() => JsonScalar, {
    nullable: true,
    description:
      "List of at most 50 objects with any of event, url, url_matching, selector, tag_name, text, text_matching, href, href_matching and properties.",
  })
  steps?: Json
  @Field(() => Boolean, { nullable: true, description: "true deletes softly, false restores." })
  deleted?: boolean | null
}
