import { ArgsType, Field, InputType, Int, ObjectType } from "type-graphql"
import type { Json } from "../../kernel/json.js"
import { ConnectionArgs, createConnectionType } from "../../platform/graphql/connection.js"
import { DateTimeScalar, JsonScalar } from "../../platform/graphql/scalars.js"

@ObjectType("Cohort", { description: "A named set of persons that flags can ask for." })
export class CohortType {
  @Field(() => Int, { description: "Number of the cohort." })
  id!: number
  @Field(() => String, { description: "Name for people." })
  name!: string
  @Field(() => String, { description: "Free text." })
  description!: string
  @Field(() => Boolean, { description: "Whether its members are listed rather than described." })
  isStatic!: boolean
  @Field(() => JsonScalar, { nullable: true, description: "Tree of conditions of a cohort that is not static." })
  filters!: Json
  @Field(() => Boolean, { description: "Soft-delete flag." })
  deleted!: boolean
  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date
}

export const CohortConnection = createConnectionType("Cohort", () => CohortType)

@ObjectType("ImportedCohortMembers", { description: "What came of a list of members." })
export class ImportedMembersType {
  @Field(() => Int, { description: "How many members the cohort has now." })
  memberCount!: number
  @Field(() => [String], { description: "Ids that name nobody, in the order of the list." })
  unknownIds!: readonly string[]
}

@ArgsType()
export class CohortListArgs extends ConnectionArgs {
  @Field(() => String, { nullable: true, description: "Part of the name, any case." })
  search?: string | null
  @Field(() => Boolean, { nullable: true, description: "Only those with listed (true) or described (false) members." })
  isStatic?: boolean | null
  @Field(() => Int, { nullable: true, description: "Number of the user who created them." })
  createdById?: number | null
}

@InputType("CohortInput", { description: "Writable fields of a cohort; an absent field stays as it is." })
export class CohortInput {
  @Field(() => String, { nullable: true, description: "At most 400 characters." })
  name?: string | null
  @Field(() => String, { nullable: true, description: "Free text." })
  description?: string | null
  @Field(() => JsonScalar, {
    nullable: true,
    description: 'Tree of conditions: {"properties": {"type": "AND" or "OR", "values": […]}}.',
  })
  filters?: Json
  @Field(() => Boolean, { nullable: true, description: "true deletes softly, false restores." })
  deleted?: boolean | null
  @Field(() => [String], {
    nullable: true,
    description:
      "Persons to add to a static cohort, by any of their distinct ids; at most 10,000, unknown ids are passed over.",
  })
  distinctIds?: string[] | null
}
