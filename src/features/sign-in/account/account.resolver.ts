import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Resolver } from "type-graphql"
import { asUserId } from "../../../kernel/ids.js"
import type { Principal, RequestContext } from "../../../kernel/request-context.js"
import { MeType, PrincipalScope, requireCaller } from "../../access/index.js"
import type { IssuedLink } from "../sign-in.types.js"
import type { AccountService } from "./account.service.js"
import {
  type BrowserSession,
  BrowserSessionType,
  ChangePasswordArgs,
  PasswordResetLinkType,
} from "./session.graphql.js"

/** GraphQL operations on the caller's sessions and password, and on passwords of colleagues. */
@Resolver(() => MeType)
export class AccountResolver {
  constructor(private readonly account: AccountService) {}

  @FieldResolver(() => [BrowserSessionType], {
    description: "Browsers in which the caller is signed in, the newest first; none for a key that is bound.",
  })
  sessions(@Ctx() context: RequestContext): Promise<BrowserSession[]> {
    return this.account.listSessions(requireCaller(context))
  }

  @Mutation(() => Boolean, { description: "Signs a browser of the caller out, at once. Always true." })
  async revokeSession(
    @PrincipalScope("user:write") principal: Principal,
    @Arg("id", () => ID, { description: "Id of the session." }) id: string,
  ): Promise<boolean> {
    await this.account.revokeSession(principal, id)
    return true
  }

  @Mutation(() => Int, {
    description: "Changes the caller's password and signs out all other browsers; answers how many.",
  })
  changePassword(
    @PrincipalScope("user:write") principal: Principal,
    @Args(() => ChangePasswordArgs) request: ChangePasswordArgs,
    @Ctx() { senderIp }: RequestContext,
  ): Promise<number> {
    return this.account.changePassword(principal, request, senderIp)
  }

  @Mutation(() => PasswordResetLinkType, {
    description:
      "Makes a link with which a user sets another password within a day; for owners of every organization that the user " +
      "belongs to.",
  })
  createPasswordResetLink(
    @PrincipalScope("organization_member:write") principal: Principal,
    @Arg("userId", () => Int, { description: "Number of the user." }) userId: number,
    @Ctx() { baseUrl }: RequestContext,
  ): Promise<IssuedLink> {
    return this.account.createResetLink(principal, asUserId(userId), baseUrl)
  }
}
