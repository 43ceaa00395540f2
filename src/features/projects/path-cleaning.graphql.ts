import { Field, InputType, ObjectType } from "type-graphql"

@ObjectType("PathCleaningRule", { description: "Parts of paths that are written as something else." })
export class PathCleaningRuleType {
  @Field(() => String, { description: "A regular expression of RE2; every part of a path that fits is replaced." })
  regex!: string
  @Field(() => String, { description: "What stands there instead; `\\1` is the first group of the expression." })
  alias!: string
}

@InputType("PathCleaningInput", { description: "Parts of paths that are written as something else." })
export class PathCleaningInput {
  @Field(() => String, { description: "A regular expression of RE2; every part of a path that fits is replaced." })
  regex!: string
  @Field(() => String, { description: "What stands there instead; `\\1` is the first group of the expression." })
  alias!: string
}
