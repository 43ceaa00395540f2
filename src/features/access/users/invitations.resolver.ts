import { Arg, Args, Ctx, Mutation, Resolver } from "type-graphql"
import type { Principal, RequestContext } from "../../../kernel/request-context.js"
import { PrincipalScope } from "../scope.decorators.js"
import type { InvitationsService } from "./invitations.service.js"
import { AcceptedInvitationType, InvitedUserType, InviteUserArgs } from "./me.graphql.js"
import type { Accepted, Invited } from "./user.types.js"

/** GraphQL operations on invitations to organizations. */
@Resolver()
export class InvitationsResolver {
  constructor(private readonly service: InvitationsService) {}

  @Mutation(() => InvitedUserType, {
    description:
      "Asks a user into an organization; for its admins and owners. A user who is new here joins at once, with a key, unless " +
      "`byLink`; everybody else joins by the link or by `acceptInvitation`.",
  })
  inviteUser(
    @PrincipalScope("organization_member:write") principal: Principal,
    @Args(() => InviteUserArgs) request: InviteUserArgs,
    @Ctx() { baseUrl }: RequestContext,
  ): Promise<Invited> {
    return this.service.invite(principal, request, baseUrl)
  }

  @Mutation(() => AcceptedInvitationType, { description: "The caller joins the organization that invited them." })
  acceptInvitation(
    @PrincipalScope("user:write") principal: Principal,
    @Arg("token", () => String, { description: "What `inviteUser` gave as `invitationToken`." }) token: string,
  ): Promise<Accepted> {
    return this.service.accept(principal, token)
  }
}
