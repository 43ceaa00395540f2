import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../../access/index.js"
import { toFlagId } from "../manage/flags.resolver.js"
import type { ScheduledChange } from "./scheduled-change.entity.js"
import { ScheduledChangeConnection, ScheduledChangeInput, ScheduledChangeType } from "./scheduled-change.graphql.js"
import type { ScheduledChangesService } from "./scheduled-changes.service.js"

const FLAG_ID = { description: "Number of the flag." }

/** GraphQL operations on changes that are planned. */
@Resolver(() => ScheduledChangeType)
export class ScheduledChangesResolver {
  constructor(
    private readonly scheduled: ScheduledChangesService,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {}

  @Query(() => ScheduledChangeConnection, {
    description: "Changes of a flag that are planned, and those that were; latest plan first.",
  })
  featureFlagScheduledChanges(
    @ProjectScope("feature_flag:read") projectId: ProjectId,
    @Arg("id", () => ID, FLAG_ID) id: string,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<ScheduledChange>> {
    const flagId = toFlagId(id)
    return readConnection(paging, ["scheduled changes", projectId, flagId], (page) =>
      this.scheduled.list(projectId, flagId, page),
    )
  }

  @Mutation(() => ScheduledChangeType, { description: "Plans a change of a flag, once or again and again." })
  createFeatureFlagScheduledChange(
    @ProjectScope("feature_flag:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, FLAG_ID) id: string,
    @Arg("input", () => ScheduledChangeInput, { description: "The plan." }) input: ScheduledChangeInput,
  ): Promise<ScheduledChange> {
    const { at, recurrence = null, change } = input
    const { version: _unused, ...request } = change
    const plan = { at, recurrence, change: request }
    return this.scheduled.create(projectId, requireCaller(context).userId, toFlagId(id), plan)
  }

  @Mutation(() => Boolean, { description: "Removes a plan; what it has done stays. Always true." })
  async deleteFeatureFlagScheduledChange(
    @ProjectScope("feature_flag:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "Number of the plan." }) id: string,
  ): Promise<boolean> {
    await this.scheduled.remove(projectId, requireCaller(context).userId, toFlagId(id))
    return true
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who planned it, and makes it." })
  createdBy(@Root() planned: ScheduledChange, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return context.loader(this.userLoader).load(planned.createdById)
  }
}
