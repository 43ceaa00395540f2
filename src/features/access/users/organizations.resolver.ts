import { Args, Ctx, Query, Resolver } from "type-graphql"
import type { OrganizationId } from "../../../kernel/ids.js"
import type { Principal, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { requireCaller } from "../authentication/caller.js"
import { OrganizationScope, PrincipalScope } from "../scope.decorators.js"
import { OrganizationConnection, OrganizationType } from "./me.graphql.js"
import type { OwnOrganization } from "./user.types.js"
import type { UsersService } from "./users.service.js"

const SCOPE = "organization:read"

/** GraphQL reads of the caller's organizations. */
@Resolver(() => OrganizationType)
export class OrganizationsResolver {
  constructor(private readonly service: Pick<UsersService, "listOrganizations" | "pageOrganizations">) {}

  @Query(() => OrganizationConnection, {
    description: "Organizations of the caller that the key may see, oldest first.",
  })
  async organizations(
    @PrincipalScope(SCOPE) principal: Principal,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<OwnOrganization>> {
    return readConnection(paging, ["organizations", principal.userId], (page) =>
      this.service.pageOrganizations(principal, page),
    )
  }

  @Query(() => OrganizationType, { description: "One organization of the caller." })
  async organization(
    @OrganizationScope(SCOPE) organizationId: OrganizationId,
    @Ctx() context: RequestContext,
  ): Promise<OwnOrganization | undefined> {
    const all = await this.service.listOrganizations(requireCaller(context))
    return all.find(({ id }) => id === organizationId)
  }
}
