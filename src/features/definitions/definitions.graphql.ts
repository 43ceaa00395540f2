import { ArgsType, Field, InputType, Int, InterfaceType, ObjectType } from "type-graphql"
import { ConnectionArgs, createConnectionType } from "../../platform/graphql/connection.js"
import { type EnumValue, registerEnum } from "../../platform/graphql/enum.js"
import { DateTimeScalar } from "../../platform/graphql/scalars.js"

/** What names of events and of properties have in common. */
@InterfaceType("Definition", { description: "A name that ingestion has seen, with what people say of it." })
export abstract class DefinitionType {
  @Field(() => String, { description: "The name." })
  name!: string
  @Field(() => String, { description: "What it stands for; empty when nobody has said it." })
  description!: string
  @Field(() => Boolean, { description: "Whether somebody has checked that it is sent as described." })
  isVerified!: boolean
  @Field(() => [String], { description: "Words by which it is found." })
  tags!: string[]
  @Field(() => Boolean, { description: "Whether lists of names to choose from leave it out; queries may ask for it." })
  isHidden!: boolean
  @Field(() => DateTimeScalar, { nullable: true, description: "When somebody last said something; null for never." })
  lastModifiedAt!: Date | null
}

@ObjectType("EventDefinition", { implements: DefinitionType, description: "The name of events." })
export class EventDefinitionType extends DefinitionType {
  @Field(() => DateTimeScalar, { description: "When it was seen first." })
  createdAt!: Date
}

export const PropertyOwnerEnum = registerEnum("PropertyOwner", "Whose properties have a name.", {
  EVENT: ["event_property", "Of events."],
  PERSON: ["person_property", "Of persons."],
  GROUP: ["group_property", "Of groups."],
})
export type PropertyOwnerEnum = EnumValue<typeof PropertyOwnerEnum>

const PropertyTypeEnum = registerEnum("PropertyType", "How queries read a property.", {
  TEXT: ["String", "As text: so are properties whose values are of several types."],
  NUMBER: ["Numeric", "As a number."],
  BOOLEAN: ["Boolean", "As true or false."],
  TIME: ["DateTime", "As a moment."],
})
type PropertyTypeEnum = EnumValue<typeof PropertyTypeEnum>

@ObjectType("PropertyDefinition", { implements: DefinitionType, description: "The name of properties." })
export class PropertyDefinitionType extends DefinitionType {
  @Field(() => PropertyOwnerEnum, { name: "of", description: "Whose properties have the name." })
  kind!: PropertyOwnerEnum
  @Field(() => Int, { description: "Type of the groups that have it, see groupTypes; -1 for events and persons." })
  groupTypeIndex!: number
  @Field(() => PropertyTypeEnum, { name: "type", description: "By the values that came." })
  propertyType!: PropertyTypeEnum
}

export const EventDefinitionConnection = createConnectionType("EventDefinition", () => EventDefinitionType)
export const PropertyDefinitionConnection = createConnectionType("PropertyDefinition", () => PropertyDefinitionType)

@InputType("DefinitionFilter", { description: "Conditions of a list of names; all given ones must hold." })
export class DefinitionFilterInput {
  @Field(() => [String], { nullable: true, description: "Only these names, at most 1000." })
  names?: string[] | null
  @Field(() => String, { nullable: true, description: "Part of name or description, any case." })
  search?: string | null
  @Field(() => [String], { nullable: true, description: "Words that are all among its tags." })
  tags?: string[] | null
  @Field(() => Boolean, { nullable: true, description: "Whether somebody has checked it." })
  isVerified?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Whether it has a description." })
  hasDescription?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Whether lists to choose from leave it out." })
  isHidden?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Whether anybody has said anything of it." })
  isEdited?: boolean | null
}

@ArgsType()
export class EventDefinitionsArgs extends ConnectionArgs {
  @Field(() => DefinitionFilterInput, { nullable: true, description: "Which ones." })
  filter?: DefinitionFilterInput | null
}

@ArgsType()
export class PropertyDefinitionsArgs extends EventDefinitionsArgs {
  @Field(() => PropertyOwnerEnum, { defaultValue: PropertyOwnerEnum.EVENT, description: "Whose properties." })
  of!: PropertyOwnerEnum
  @Field(() => Int, { nullable: true, description: "Of groups of this type alone." })
  groupTypeIndex?: number | null
}

@InputType("DefinitionInput", { description: "What is said of a name; an absent field stays as it is." })
export class DefinitionInput {
  @Field(() => String, { nullable: true, description: "Free text, at most 10,000 characters." })
  description?: string | null
  @Field(() => Int, {
    nullable: true,
    description: "Number of the user who answers for it, a member of the organization; null for nobody.",
  })
  ownerNumber?: number | null
  @Field(() => Boolean, { nullable: true, description: "Whether somebody has checked that it is sent as described." })
  isVerified?: boolean | null
  @Field(() => [String], { nullable: true, description: "At most 50 words of at most 100 characters." })
  tags?: string[] | null
  @Field(() => Boolean, { nullable: true, description: "Whether lists of names to choose from leave it out." })
  isHidden?: boolean | null
}
