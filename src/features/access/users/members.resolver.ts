import { Args, Ctx, Query, Resolver } from "type-graphql"
import type { OrganizationId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { requireCaller } from "../authentication/caller.js"
import { OrganizationScope } from "../scope.decorators.js"
import type { InvitationsService } from "./invitations.service.js"
import {
  type OrganizationInvitation,
  OrganizationInvitationType,
  type OrganizationMember,
  OrganizationMemberConnection,
} from "./member.graphql.js"
import type { UsersService } from "./users.service.js"

const SCOPE = "organization_member:read"

/** Who is in an organization, and who was asked: what its record leads to. */
@Resolver()
export class MembersResolver {
  constructor(
    private readonly users: Pick<UsersService, "listMembers">,
    private readonly invitations: Pick<InvitationsService, "list">,
  ) {}

  @Query(() => OrganizationMemberConnection, { description: "Users of an organization with their roles, by number." })
  async organizationMembers(
    @OrganizationScope(SCOPE) organizationId: OrganizationId,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<OrganizationMember>> {
    return readConnection(paging, ["members", organizationId], (page) => this.users.listMembers(organizationId, page))
  }

  @Query(() => [OrganizationInvitationType], { description: "Invitations to an organization that are good." })
  async organizationInvitations(
    @OrganizationScope(SCOPE) organizationId: OrganizationId,
    @Ctx() context: RequestContext,
  ): Promise<readonly OrganizationInvitation[]> {
    return this.invitations.list(requireCaller(context), organizationId)
  }
}
