import { Field, Float, ObjectType } from "type-graphql"

@ObjectType("FlagsRevision", { description: "The project's flags, as they are from now on." })
export class FlagsRevisionType {
  @Field(() => String, { description: "Revision of `flagDefinitions` without cohorts." })
  revision!: string
  @Field(() => Float, { description: "Grows with every change of a flag, a cohort or a group type." })
  version!: number
}
