import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../../access/index.js"
import {
  DeleteEventsArgs,
  EventDeletionConnection,
  EventDeletionOutcomeType,
  EventDeletionType,
} from "./event-deletions.graphql.js"
import type { EventDeletionsService, RequestedDeletion } from "./event-deletions.service.js"
import type { EventDeletion } from "./event-deletions.types.js"

/** GraphQL operations that delete events. */
@Resolver(() => EventDeletionType)
export class EventDeletionsResolver {
  constructor(
    private readonly service: EventDeletionsService,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {}

  @Query(() => EventDeletionConnection, {
    description: "Deletions of events, newest first; those by retention for 30 days after they were done.",
  })
  async eventDeletions(
    @ProjectScope("project:read") projectId: ProjectId,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<EventDeletion>> {
    return readConnection(paging, ["eventDeletions", projectId], (page) => this.service.list(projectId, page))
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who asked for it; null for retention." })
  requestedBy(@Root() { requestedById }: EventDeletion, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return requestedById === null ? Promise.resolve(null) : context.loader(this.userLoader).load(requestedById)
  }

  @Mutation(() => EventDeletionOutcomeType, {
    description:
      "Deletes for good the events that meet everything that is given, or only counts them, as it does unless told otherwise. Sessions are made anew without them; persons stay as they are, and so do dead letters. For admins and owners.",
  })
  deleteEvents(
    @ProjectScope("project:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Args(() => DeleteEventsArgs) { dryRun, ...wanted }: DeleteEventsArgs,
  ): Promise<RequestedDeletion> {
    return this.service.request(requireCaller(context), projectId, wanted, dryRun)
  }
}
