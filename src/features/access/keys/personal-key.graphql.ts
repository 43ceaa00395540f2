import { ArgsType, Field, ID, Int, ObjectType } from "type-graphql"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("PersonalApiKey", {
  description: "A key with which its user calls the management API. Its value is not stored.",
})
export class PersonalApiKeyType {
  @Field(() => ID, { description: "Id of the key, for rolling and revoking it." })
  id!: string
  @Field(() => Int, { description: "Number of the user whose key it is." })
  userId!: UserId
  @Field(() => String, { description: "What the user calls it, at most 40 characters." })
  label!: string
  @Field(() => String, { description: "First and last four characters of the value." })
  maskedValue!: string
  @Field(() => [String], {
    description: "What it may do: `object:read`, `object:write` (which includes read), or `*`.",
  })
  scopes!: readonly string[]
  @Field(() => [Int], { nullable: true, description: "Projects it is bound to; null means every project of the user." })
  projectIds!: readonly ProjectId[] | null
  @Field(() => [ID], { nullable: true, description: "Organizations it is bound to; null means all of the user's." })
  organizationIds!: readonly OrganizationId[] | null
  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { nullable: true, description: "When it was last used, exact to an hour." })
  lastUsedAt!: Date | null
  @Field(() => DateTimeScalar, { nullable: true, description: "When it last got a new value; null when it never did." })
  lastRolledAt!: Date | null
  @Field(() => DateTimeScalar, { nullable: true, description: "Until when the value before a roll is accepted." })
  previousValueExpiresAt!: Date | null
}

@ObjectType("IssuedPersonalApiKey", { description: "A key together with its value, which is shown this once." })
export class IssuedPersonalApiKeyType extends PersonalApiKeyType {
  @Field(() => String, {
    description: "The value to send as `Authorization: Bearer …`. Keep it; it cannot be read again.",
  })
  value!: string
}

@ArgsType()
export class CreatePersonalApiKeyArgs {
  @Field(() => String, { description: "A name to recognise it by, 1 to 40 characters." })
  label!: string
  @Field(() => [String], {
    description: "At least one of `object:read`, `object:write`, `*`, none beyond the calling key's.",
  })
  scopes!: readonly string[]
  @Field(() => [Int], { nullable: true, description: "Projects to bind it to; none or null binds it to no project." })
  projectIds?: number[] | null
  @Field(() => [ID], { nullable: true, description: "Organizations to bind it to; none or null binds it to none." })
  organizationIds?: string[] | null
}
