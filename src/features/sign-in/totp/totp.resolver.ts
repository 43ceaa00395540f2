import { Arg, Ctx, FieldResolver, Mutation, Resolver } from "type-graphql"
import type { Principal, RequestContext } from "../../../kernel/request-context.js"
import { MeType, PrincipalScope, requireCaller } from "../../access/index.js"
import { type SecondFactor, SecondFactorType, type TotpEnrolment, TotpEnrolmentType } from "./totp.graphql.js"
import type { TotpService } from "./totp.service.js"

const CODE = { description: "What the authenticator shows." }

/** GraphQL operations on the caller's second factor. */
@Resolver(() => MeType)
export class TotpResolver {
  constructor(private readonly totp: TotpService) {}

  @FieldResolver(() => SecondFactorType, {
    nullable: true,
    description: "Whether signing in by password asks for a code too; null for a key that is bound.",
  })
  secondFactor(@Ctx() context: RequestContext): Promise<SecondFactor | null> {
    return this.totp.find(requireCaller(context))
  }

  @Mutation(() => TotpEnrolmentType, {
    description: "Makes a secret for the caller's authenticator, which counts when `confirmTotp` has had a code of it.",
  })
  startTotp(
    @PrincipalScope("user:write") principal: Principal,
    @Arg("currentPassword", () => String, { description: "The caller's password." }) currentPassword: string,
    @Ctx() { senderIp }: RequestContext,
  ): Promise<TotpEnrolment> {
    return this.totp.begin(principal, currentPassword, senderIp)
  }

  @Mutation(() => [String], {
    description: "Signing in by password asks for codes from now on. Answers ten recovery codes, shown this once.",
  })
  confirmTotp(
    @PrincipalScope("user:write") principal: Principal,
    @Arg("code", () => String, CODE) code: string,
    @Ctx() { senderIp }: RequestContext,
  ): Promise<string[]> {
    return this.totp.confirm(principal, code, senderIp)
  }

  @Mutation(() => SecondFactorType, { description: "Signing in asks for no code any more; needs one of them." })
  removeTotp(
    @PrincipalScope("user:write") principal: Principal,
    @Arg("code", () => String, { description: "What the authenticator shows, or a recovery code." }) code: string,
    @Ctx() { senderIp }: RequestContext,
  ): Promise<SecondFactor> {
    return this.totp.remove(principal, code, senderIp)
  }
}
