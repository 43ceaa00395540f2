import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql"
import { orNotFound } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type Connection, readConnection } from "../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../access/index.js"
import { ActionConnection, ActionInput, ActionListArgs, ActionType } from "./actions.graphql.js"
import type { ActionsService } from "./actions.service.js"
import type { Action } from "./actions.types.js"

const ID_DESCRIPTION = { description: "Number of the action." }

/** GraphQL operations on actions. */
@Resolver(() => ActionType)
export class ActionsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Action | null>

  constructor(
    private readonly service: ActionsService,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {
    this.lookUp = createLookUpLoader(
      (projectId, ids) => service.findMany(projectId, ids.map(Number)),
      ({ id }) => String(id),
    )
  }

  @Query(() => ActionConnection, { description: "Actions that are not deleted, newest first." })
  async actions(
    @ProjectScope("action:read") projectId: ProjectId,
    @Args(() => ActionListArgs) args: ActionListArgs,
  ): Promise<Connection<Action>> {
    const filter = { search: args.search }
    return readConnection(args, ["actions", projectId, filter], (page) => this.service.list(projectId, filter, page))
  }

  @Query(() => ActionType, { description: "One action by its number." })
  async action(
    @ProjectScope("action:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
  ): Promise<Action> {
    return orNotFound(await context.loader(this.lookUp).load({ projectId, key: String(id) }))
  }

  @Mutation(() => ActionType, { description: "Creates an action." })
  createAction(
    @ProjectScope("action:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => ActionInput, { description: "The action." }) input: ActionInput,
  ): Promise<Action> {
    return this.service.create(projectId, requireCaller(context).userId, input)
  }

  @Mutation(() => ActionType, {
    description: "Changes an action; `deleted: true` deletes it softly, `deleted: false` restores it.",
  })
  updateAction(
    @ProjectScope("action:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => Int, ID_DESCRIPTION) id: number,
    @Arg("input", () => ActionInput, { description: "The action." }) input: ActionInput,
  ): Promise<Action> {
    return this.service.update(projectId, requireCaller(context).userId, id, input)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who created it." })
  async createdBy(@Root() { createdById }: Action, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return createdById === null ? null : context.loader(this.userLoader).load(createdById)
  }
}
