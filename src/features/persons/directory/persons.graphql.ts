import { Field, ID, InputType, Int, ObjectType } from "type-graphql"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { createConnectionType } from "../../../platform/graphql/connection.js"
import { DateTimeScalar, JsonScalar } from "../../../platform/graphql/scalars.js"
import { PROPERTY_OPERATORS } from "./property-operators.js"

@ObjectType("Person", { description: "Somebody whom events are about; one person may have many distinct ids." })
export class PersonType {
  readonly projectId!: ProjectId
  @Field(() => ID, { description: "UUID of the person." })
  id!: PersonId
  @Field(() => JsonScalar, { description: "Properties set by events, an object." })
  properties!: JsonObject
  @Field(() => Boolean, { description: "Whether an identify or alias event has named the person." })
  isIdentified!: boolean
  @Field(() => DateTimeScalar, { description: "Time of the person's first event." })
  createdAt!: Date
}

/** A person as readers see it. */
export type Person = Readonly<PersonType>

export const PersonConnection = createConnectionType("Person", () => PersonType)

@InputType("PersonPropertyFilter", { description: "A condition on one property of a person." })
export class PersonPropertyFilterInput {
  @Field(() => String, { description: "Name of the property." })
  key!: string
  @Field(() => String, {
    nullable: true,
    description: `How to compare: ${PROPERTY_OPERATORS.join(", ")}; exact when absent.`,
  })
  operator?: string | null
  @Field(() => JsonScalar, { nullable: true, description: "What to compare with; of a list any one will do." })
  value?: Json
}

@InputType("PersonPropertyGroup", { description: "Conditions on properties that belong together." })
export class PersonPropertyGroupInput {
  @Field(() => String, {
    nullable: true,
    description: "`AND`: all hold, which it is when absent. `OR`: one is enough.",
  })
  type?: string | null
  @Field(() => [PersonPropertyFilterInput], { nullable: true, description: "Conditions of the group." })
  conditions?: readonly PersonPropertyFilterInput[] | null
  @Field(() => [PersonPropertyGroupInput], { nullable: true, description: "Groups inside of the group." })
  groups?: readonly PersonPropertyGroupInput[] | null
}

@InputType("PersonFilter", { description: "Conditions of a list of persons; all given ones must hold." })
export class PersonFilterInput {
  @Field(() => String, {
    nullable: true,
    description: "Part of a name, an e-mail address or a distinct id, in any case; or the whole id of a person.",
  })
  search?: string | null
  @Field(() => String, { nullable: true, description: "Whole distinct id." })
  distinctId?: string | null
  @Field(() => String, { nullable: true, description: "Whole e-mail address, in any case." })
  email?: string | null
  @Field(() => [PersonPropertyFilterInput], { nullable: true, description: "Conditions on properties." })
  properties?: readonly PersonPropertyFilterInput[] | null
  @Field(() => PersonPropertyGroupInput, { nullable: true, description: "A group of conditions on properties." })
  propertyGroup?: PersonPropertyGroupInput | null
}

@ObjectType("PersonPropertyValue", { description: "A value of a person property." })
export class PropertyValueType {
  @Field(() => JsonScalar, { nullable: true, description: "The value, any JSON value." })
  value!: Json
  @Field(() => Int, { description: "How many persons have it." })
  personCount!: number
}

@ObjectType("GroupType", { description: "A kind of group, such as company." })
export class GroupTypeType {
  @Field(() => Int, { description: "0 to 4: which `$group_n` of events holds the keys of this type." })
  typeIndex!: number
  @Field(() => String, { description: "Name of the type." })
  name!: string
}

@ObjectType("Group", { description: "A group that events can belong to, such as one company." })
export class GroupObjectType {
  readonly projectId!: ProjectId
  @Field(() => Int, { description: "Index of the group's type." })
  typeIndex!: number
  @Field(() => ID, { description: "Key of the group within its type." })
  key!: string
  @Field(() => JsonScalar, { description: "Properties set by group identify events, an object." })
  properties!: JsonObject
  @Field(() => DateTimeScalar, { description: "When the group was first identified." })
  createdAt!: Date
}

export const GroupConnection = createConnectionType("Group", () => GroupObjectType)
