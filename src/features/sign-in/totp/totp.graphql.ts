import { Field, Int, ObjectType } from "type-graphql"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("SecondFactor", {
  description: "Whether signing in by password asks for a code of an authenticator too.",
})
export class SecondFactorType {
  @Field(() => DateTimeScalar, { nullable: true, description: "Since when; null while it does not." })
  confirmedAt!: Date | null
  @Field(() => Int, { description: "Recovery codes that were not used yet." })
  recoveryCodesLeft!: number
}

/** The second factor of a user, without what is secret. */
export type SecondFactor = Readonly<SecondFactorType>

@ObjectType("TotpEnrolment", {
  description: "What an authenticator is told. It counts when a code of it is confirmed.",
})
export class TotpEnrolmentType {
  @Field(() => String, { description: "The secret in base32, for authenticators without a camera. Shown this once." })
  secret!: string
  @Field(() => String, { description: "The same as an `otpauth://` address, to be shown as a QR code." })
  uri!: string
}

/** A secret for an authenticator. */
export type TotpEnrolment = Readonly<TotpEnrolmentType>
