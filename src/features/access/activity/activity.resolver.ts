import DataLoader from "dataloader"
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from "type-graphql"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
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
  private readonly lookUp: LoaderFactory<string, Activity | null>

  constructor(
    private readonly activity: ActivityReader,
    private readonly organizations: Pick<OrganizationAccess, "visibleTo">,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {
    this.lookUp = () =>
      new DataLoader(
        async (ids) => {
          const found = new Map((await activity.findMany(ids)).map((entry) => [entry.id, entry]))
          return ids.map((id) => found.get(id) ?? null)
        },
        { cache: false },
      )
  }

  @Query(() => ActivityType, {
    nullable: true,
    description: "One entry of the audit log by its UUID; null if there is none, or none for the caller.",
  })
  async activityEntry(
    @PrincipalScope(SCOPE, { openToBoundKeys: true }) principal: Principal,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "UUID of the entry." }) id: string,
  ): Promise<Activity | null> {
    const entry = await context.loader(this.lookUp).load(id.toLowerCase())
    if (entry === null) return null
    if (entry.projectId === null) return (await this.isOfAccount(principal, entry)) ? entry : null
    await context.access.requireProject(context, String(entry.projectId), SCOPE)
    return entry
  }

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
    const { userId, organizationIds } = await this.readAccount(principal)
    const { scope, itemId } = args
    return readConnection(args, ["account activity", principal.userId, scope, itemId], (page) =>
      this.activity.listByAccount(userId, organizationIds, args, page),
    )
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who; null when the system itself did it." })
  async user(@Root() { userId }: ActivityType, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return userId === null ? null : context.loader(this.userLoader).load(userId)
  }

  /** Whose entries outside projects a caller reads: organizations, and a user if the key is bound to none of them. */
  private async readAccount(
    principal: Principal,
  ): Promise<{ userId: UserId | null; organizationIds: OrganizationId[] }> {
    const userId = principal.organizationIds === null ? principal.userId : null
    return { userId, organizationIds: [...(await this.organizations.visibleTo(principal)).keys()] }
  }

  /** Whether `accountActivityLog` would list it, which is refused to keys that are bound to projects. */
  private async isOfAccount(principal: Principal, entry: Activity): Promise<boolean> {
    if (principal.projectIds !== null) return false
    const { userId, organizationIds } = await this.readAccount(principal)
    if (entry.organizationId !== null) return organizationIds.includes(entry.organizationId)
    return userId !== null && entry.userId === userId
  }
}
