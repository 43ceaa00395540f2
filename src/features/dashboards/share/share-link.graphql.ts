import { Field, ID, InputType, ObjectType } from "type-graphql"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("DashboardShareLink", { description: "Lets whoever has its token read a dashboard without a key." })
export class ShareLinkType {
  @Field(() => ID, { description: "Id of the link, for revoking it." })
  id!: string
  @Field(() => String, { description: "For whom or what it was made." })
  label!: string
  @Field(() => String, { description: "First and last four characters of the token." })
  maskedToken!: string
  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "When it ends." })
  expiresAt!: Date
}

/** A live link as it may be shown. */
export type ShareLink = Readonly<ShareLinkType>

@ObjectType("IssuedDashboardShareLink", { description: "A link together with its token, which is shown this once." })
export class IssuedShareLinkType extends ShareLinkType {
  @Field(() => String, { description: "What `sharedDashboard` takes; it cannot be read again." })
  token!: string
}

/** A link together with its token, which is not stored anywhere. */
export type IssuedShareLink = Readonly<IssuedShareLinkType>

@InputType("DashboardShareLinkInput", { description: "What a link is to be." })
export class ShareLinkInput {
  @Field(() => String, { nullable: true, description: "For whom or what, at most 100 characters." })
  label?: string | null
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it ends, at most a year from now; 30 days if absent.",
  })
  expiresAt?: Date | null
}
