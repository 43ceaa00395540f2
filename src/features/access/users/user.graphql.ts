import { Field, ID, Int, ObjectType } from "type-graphql"
import type { UserId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { JsonScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("BasicUser", { description: "A user as colleagues see them." })
export class BasicUserType {
  @Field(() => Int, { description: "Number of the user." })
  id!: UserId
  @Field(() => ID, { description: "UUID of the user." })
  uuid!: string
  @Field(() => String, { description: "Distinct id under which the user's own actions are captured." })
  distinctId!: string
  @Field(() => String, { description: "First name; may be empty." })
  firstName!: string
  @Field(() => String, { description: "Last name; may be empty." })
  lastName!: string
  @Field(() => String, { description: "E-mail address." })
  email!: string
  @Field(() => Boolean, { description: "Whether the address was confirmed." })
  isEmailVerified!: boolean
  @Field(() => JsonScalar, { nullable: true, description: "Settings of the user's avatar; any object." })
  hedgehogConfig!: JsonObject | null
  @Field(() => String, { nullable: true, description: "The user's work in the organization, in their own words." })
  roleAtOrganization!: string | null
}

/** A user as shown to colleagues: who made a playlist, who changed a flag. */
export type BasicUser = Readonly<BasicUserType>
