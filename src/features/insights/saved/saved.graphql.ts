import { Field, ID, InputType, Int, InterfaceType } from "type-graphql"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

/** What insights and dashboards have in common. */
@InterfaceType("Saved", { description: "What people name, tag and keep: an insight or a dashboard." })
export abstract class SavedType {
  @Field(() => ID, { description: "Eight characters that name it." })
  shortId!: string
  @Field(() => String, { description: "Name for people." })
  name!: string
  @Field(() => String, { description: "Free text." })
  description!: string
  @Field(() => [String], { description: "Words by which it is found." })
  tags!: string[]
  @Field(() => Boolean, { description: "Soft-delete flag; what is deleted leaves every list." })
  deleted!: boolean
  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  lastModifiedAt!: Date
}

/** What is written of both; an absent field stays as it is. */
@InputType()
export abstract class SavedInput {
  @Field(() => String, { nullable: true, description: "At most 400 characters; needed when it is made." })
  name?: string | null
  @Field(() => String, { nullable: true, description: "Free text, at most 10,000 characters." })
  description?: string | null
  @Field(() => [String], { nullable: true, description: "At most 50 words of at most 100 characters." })
  tags?: string[] | null
  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it is a favourite of the caller's; others see theirs.",
  })
  isFavourite?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "true deletes softly, false restores." })
  deleted?: boolean | null
}

/** Conditions of a list of either; all given ones must hold. */
@InputType()
export abstract class SavedFilterInput {
  @Field(() => String, { nullable: true, description: "Part of name or description, any case." })
  search?: string | null
  @Field(() => [String], { nullable: true, description: "Words that are all among its tags." })
  tags?: string[] | null
  @Field(() => Int, { nullable: true, description: "Number of the user who created it." })
  createdBy?: number | null
  @Field(() => Boolean, { nullable: true, description: "Only what the caller created." })
  mine?: boolean | null
  @Field(() => Boolean, { nullable: true, description: "Only the caller's favourites." })
  isFavourite?: boolean | null
}
