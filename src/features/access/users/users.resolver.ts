import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver } from "type-graphql"
import type { Principal, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { requireCaller } from "../authentication/caller.js"
import { PrincipalScope } from "../scope.decorators.js"
import {
  MeType,
  OrganizationRoleEnum,
  OrganizationType,
  UpdateMeArgs,
  UpdateOrganizationArgs,
  UpdateOrganizationMemberArgs,
  UserConnection,
  UserType,
} from "./me.graphql.js"
import type { Me, OwnOrganization } from "./user.types.js"
import type { UsersService } from "./users.service.js"

/** GraphQL operations on the caller, on colleagues and on organizations. */
@Resolver(() => MeType)
export class UsersResolver {
  constructor(private readonly service: UsersService) {}

  @Query(() => MeType, { description: "The caller. Open to keys that are bound to projects, too." })
  me(@PrincipalScope("user:read", { openToBoundKeys: true }) principal: Principal): Promise<Me> {
    return this.service.me(principal)
  }

  @FieldResolver(() => [OrganizationType], { description: "Organizations of the caller that the key may see." })
  organizations(@Ctx() context: RequestContext): Promise<OwnOrganization[]> {
    return this.service.listOrganizations(requireCaller(context))
  }

  @Mutation(() => MeType, { description: "Changes what the caller may change about themselves." })
  updateMe(
    @PrincipalScope("user:write") principal: Principal,
    @Args(() => UpdateMeArgs) request: UpdateMeArgs,
  ): Promise<Me> {
    return this.service.updateMe(principal, request)
  }

  @Query(() => UserConnection, { description: "Users of the caller's organizations, or of one of them." })
  async users(
    @PrincipalScope("organization_member:read") principal: Principal,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
    @Arg("organizationId", () => ID, { nullable: true, description: "Only users of this organization." })
    organizationId: string | undefined,
  ): Promise<Connection<UserType>> {
    return readConnection(paging, ["users", principal.userId, organizationId], (page) =>
      this.service.list(principal, organizationId ?? null, page),
    )
  }

  @Query(() => UserType, {
    nullable: true,
    description: "A user of the caller's organizations by their number; null if there is none.",
  })
  user(
    @PrincipalScope("organization_member:read") principal: Principal,
    @Arg("id", () => Int, { description: "Number of the user." }) id: number,
  ): Promise<UserType | null> {
    return this.service.find(principal, id)
  }

  @Mutation(() => OrganizationType, { description: "Makes an organization; the caller becomes its owner." })
  createOrganization(
    @PrincipalScope("organization:write") principal: Principal,
    @Arg("name", () => String, { description: "Its name, 1 to 150 characters." }) name: string,
  ): Promise<OwnOrganization> {
    return this.service.createOrganization(principal, name)
  }

  @Mutation(() => OrganizationType, { description: "Changes an organization; for its admins and owners." })
  updateOrganization(
    @PrincipalScope("organization:write") principal: Principal,
    @Arg("id", () => ID, { description: "UUID of the organization." }) id: string,
    @Args(() => UpdateOrganizationArgs) request: UpdateOrganizationArgs,
  ): Promise<OwnOrganization> {
    return this.service.updateOrganization(principal, id, request)
  }

  @Mutation(() => OrganizationRoleEnum, {
    description: "Changes a member's role; for admins and owners, of owners for owners only. Counts at once.",
  })
  updateOrganizationMember(
    @PrincipalScope("organization_member:write") principal: Principal,
    @Args(() => UpdateOrganizationMemberArgs) request: UpdateOrganizationMemberArgs,
  ): Promise<OrganizationRoleEnum> {
    return this.service.changeRole(principal, request)
  }

  @Mutation(() => Boolean, {
    description:
      "Ends a user's membership or withdraws an invitation; for admins and owners, of owners for owners only. Always true.",
  })
  async removeOrganizationMember(
    @PrincipalScope("organization_member:write") principal: Principal,
    @Arg("organizationId", () => ID, { description: "The organization." }) organizationId: string,
    @Arg("userId", () => Int, { description: "Number of the user." }) userId: number,
  ): Promise<boolean> {
    await this.service.removeMember(principal, organizationId, userId)
    return true
  }
}
