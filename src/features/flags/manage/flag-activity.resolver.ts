import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from "type-graphql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope } from "../../access/index.js"
import type { Flag } from "../flags.types.js"
import type { FlagService } from "./flag.service.js"
import { FlagActivityConnection, FlagActivityType } from "./flag-activity.graphql.js"
import type { FlagActivity, ReadFlagActivity } from "./flag-activity.store.js"
import { FlagType } from "./flags.graphql.js"
import { toFlagId } from "./flags.resolver.js"

const SCOPE = "feature_flag:read"
const FLAG_ID = { description: "Number of the flag." }

/** GraphQL operations around one flag: who changed it, and which flags hang on it. */
@Resolver(() => FlagActivityType)
export class FlagActivityResolver {
  constructor(
    private readonly flags: Pick<FlagService, "dependants">,
    private readonly activity: ReadFlagActivity,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {}

  @Query(() => FlagActivityConnection, {
    description: "Who changed a flag and how, newest first; of deleted flags too.",
  })
  async featureFlagActivity(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, FLAG_ID) id: string,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<FlagActivity>> {
    const flagId = toFlagId(id)
    return readConnection(paging, ["flag activity", projectId, flagId], (page) =>
      this.activity(projectId, flagId, page),
    )
  }

  @Query(() => [FlagType], { description: "Active flags that depend on a flag directly." })
  dependentFeatureFlags(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, FLAG_ID) id: string,
  ): Promise<Flag[]> {
    return this.flags.dependants(projectId, toFlagId(id))
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who; null when the system itself did it." })
  async user(@Root() { userId }: FlagActivity, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return userId === null ? null : context.loader(this.userLoader).load(userId)
  }
}
