import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { InProject } from "../../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, readConnection } from "../../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../../access/index.js"
import { toFlagId } from "../manage/flags.resolver.js"
import type { ChangeRequest } from "./change-request.entity.js"
import { ChangeRequestArgs, ChangeRequestConnection, ChangeRequestType } from "./change-request.graphql.js"
import type { ChangeRequestsService } from "./change-requests.service.js"

const REQUEST_ID = { description: "Number of the request." }
const COMMENT = { defaultValue: "", description: "What to say with it, at most 1,000 characters." }

/** GraphQL operations on changes that a second person decides about. */
@Resolver(() => ChangeRequestType)
export class ChangeRequestsResolver {
  constructor(
    private readonly requests: ChangeRequestsService,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
    /** Keys of flags by their numbers. */
    private readonly flagKeyLoader: LoaderFactory<InProject<string>, string>,
  ) {}

  @Query(() => ChangeRequestConnection, {
    description: "Changes of flags that a second person has to approve, or had to; latest first.",
  })
  featureFlagChangeRequests(
    @ProjectScope("feature_flag:read") projectId: ProjectId,
    @Args(() => ChangeRequestArgs) { flagId, state, ...paging }: ChangeRequestArgs,
  ): Promise<Connection<ChangeRequest>> {
    const filter = { ...(flagId != null && { flagId: toFlagId(flagId) }), ...(state != null && { state }) }
    return readConnection(paging, ["change requests", projectId, filter], (page) =>
      this.requests.list(projectId, filter, page),
    )
  }

  @Mutation(() => ChangeRequestType, {
    description: "Approves a change that somebody else asked for, and makes it at once.",
  })
  approveFeatureFlagChange(
    @ProjectScope("feature_flag:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, REQUEST_ID) id: string,
    @Arg("comment", () => String, COMMENT) comment: string,
  ): Promise<ChangeRequest> {
    return this.requests.approve(projectId, requireCaller(context).userId, toFlagId(id), comment)
  }

  @Mutation(() => ChangeRequestType, {
    description: "Ends a request without the change; whoever asked for it withdraws it so.",
  })
  rejectFeatureFlagChange(
    @ProjectScope("feature_flag:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, REQUEST_ID) id: string,
    @Arg("comment", () => String, COMMENT) comment: string,
  ): Promise<ChangeRequest> {
    return this.requests.reject(projectId, requireCaller(context).userId, toFlagId(id), comment)
  }

  @FieldResolver(() => String, { description: "Key of the flag, also once the flag is deleted." })
  flagKey(@Root() { projectId, flagId }: ChangeRequest, @Ctx() context: RequestContext): Promise<string> {
    return context.loader(this.flagKeyLoader).load({ projectId, key: String(flagId) })
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who asked for it." })
  createdBy(@Root() request: ChangeRequest, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return context.loader(this.userLoader).load(request.createdById)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who decided; null while it waits." })
  async decidedBy(@Root() { decidedById }: ChangeRequest, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return decidedById === null ? null : context.loader(this.userLoader).load(decidedById)
  }
}
