import { Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { ProjectScope } from "../../access/index.js"
import type { PersonLoaders } from "../directory/person.loader.js"
import { type Person, PersonType } from "../directory/persons.graphql.js"
import { type ExportPermits, holdExport } from "../hold-export.js"
import { EventActorConnection, EventActorType, EventConditionArgs } from "./event-actors.graphql.js"
import type { EventActor, EventActorsService } from "./event-actors.service.js"

const SCOPE = "person:read"

/** GraphQL operations on those who did an event. */
@Resolver(() => EventActorType)
export class EventActorsResolver {
  constructor(
    private readonly actors: EventActorsService,
    private readonly loaders: PersonLoaders,
    private readonly exports: ExportPermits,
  ) {}

  @Query(() => EventActorConnection, { description: "Who did an event, those with more events first." })
  async eventActors(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Args(() => EventConditionArgs) condition: EventConditionArgs,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<EventActor>> {
    return readConnection(paging, ["event actors", projectId, condition], (page) =>
      this.actors.page(projectId, condition, page),
    )
  }

  @Query(() => [EventActorType], { description: "The 10,000 who did an event most, for export." })
  async exportEventActors(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Args(() => EventConditionArgs) condition: EventConditionArgs,
  ): Promise<EventActor[]> {
    holdExport(this.exports, context)
    return this.actors.export(projectId, condition)
  }

  @FieldResolver(() => PersonType, { nullable: true, description: "The person; null when there is no profile." })
  person(@Root() { projectId, personId }: EventActor, @Ctx() context: RequestContext): Promise<Person | null> {
    return context.loader(this.loaders.byId).load({ projectId, key: personId })
  }
}
