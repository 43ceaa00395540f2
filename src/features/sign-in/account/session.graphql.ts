import { ArgsType, Field, ID, ObjectType } from "type-graphql"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("BrowserSession", { description: "A browser in which the caller is signed in." })
export class BrowserSessionType {
  @Field(() => ID, { description: "Id of the session, for revoking it." })
  id!: string
  @Field(() => String, { description: "What the browser said it is when it signed in; may be empty." })
  userAgent!: string
  @Field(() => DateTimeScalar, { description: "When the caller signed in." })
  createdAt!: Date
  @Field(() => DateTimeScalar, { description: "When it was last used, exact to an hour." })
  lastUsedAt!: Date
  @Field(() => DateTimeScalar, { description: "When it ends unless it is used before." })
  expiresAt!: Date
  @Field(() => Boolean, { description: "Whether it is the calling one." })
  isCurrent!: boolean
}

/** A session as its user sees it. */
export type BrowserSession = Readonly<BrowserSessionType>

@ObjectType("PasswordResetLink", { description: "A link with which a user sets another password, once." })
export class PasswordResetLinkType {
  @Field(() => String, { description: "The link. Shown this once; hand it to the user alone." })
  url!: string
  @Field(() => DateTimeScalar, { description: "Until when it is good." })
  expiresAt!: Date
}

@ArgsType()
export class ChangePasswordArgs {
  @Field(() => String, { description: "The password as it is." })
  currentPassword!: string
  @Field(() => String, { description: "The password as it shall be, 10 to 200 characters." })
  newPassword!: string
}
