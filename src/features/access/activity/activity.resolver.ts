import { Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { LoaderFactory, Principal, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, readConnection } from "../../../platform/graphql/connection.js"
import type { OrganizationAccess } from "../organization-access.js"
import { PrincipalScope, ProjectScope } from "../scope.decorators.js"
import { type BasicUser, BasicUserType } from "../users/user.graphql.js"
import { type Activity, ActivityArgs, ActivityConnection, ActivityType } from "./activity.graphql.js"
import type { ActivityReader } from "./activity.store.js"

const SCOPE = "activity_log:read"

/** GraphQL reads of the audit log. */
@Resolver(() => ActivityType)
export class ActivityResolver {
  constructor(
    private readonly activity: ActivityReader,
    private readonly organizations: OrganizationAccess,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {}

  @Query(() => ActivityConnection, { description: "Who changed what in a project, newest first." })
  async activityLog(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Args(() => ActivityArgs) args: ActivityArgs,
  ): Promise<Connection<Activity>> {
    const { scope, itemId } = args
    return readConnection(args, ["activity", projectId, scope, itemId], (page) =>
      this.activity.listByProject(projectId, args, page),
    )
  }

  @Query(() => ActivityConnection, {
    description:
      "What happened in the caller's organizations outside projects and, for a key that is bound to none, to the caller's own " +
      "keys, newest first.",
  })
  async accountActivityLog(
    @PrincipalScope(SCOPE) principal: Principal,
    @Args(() => ActivityArgs) args: ActivityArgs,
  ): Promise<Connection<Activity>> {
    const userId = principal.organizationIds === null ? principal.userId : null
    const organizationIds = [...(await this.organizations.visibleTo(principal)).keys()]
    const { scope, itemId } = args
    return readConnection(args, ["account activity", principal.userId, scope, itemId], (page) =>
      this.activity.listByAccount(userId, organizationIds, args, page),
    )
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who; null when the system itself did it." })
  async user(@Root() { userId }: ActivityType, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return userId === null ? null : context.loader(this.userLoader).load(userId)
  }
}
