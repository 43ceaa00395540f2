import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from "type-graphql"
import { orNotFound } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type Connection, readConnection } from "../../platform/graphql/connection.js"
import { ProjectScope, requireCaller } from "../access/index.js"
import {
  DefinitionInput,
  EventDefinitionConnection,
  EventDefinitionsArgs,
  EventDefinitionType,
} from "./definitions.graphql.js"
import type { DefinitionsService } from "./definitions.service.js"
import type { Definition, DefinitionKey } from "./definitions.types.js"

const toKey = (name: string): DefinitionKey => ({ kind: "event", groupTypeIndex: -1, name })

/** GraphQL operations on the names of events. */
@Resolver()
export class EventDefinitionsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Definition | null>

  constructor(private readonly service: DefinitionsService) {
    this.lookUp = createLookUpLoader(
      (projectId, names) => service.findMany(projectId, names.map(toKey)),
      ({ name }) => name,
    )
  }

  @Query(() => EventDefinitionConnection, { description: "Names of events that ingestion has seen, in their order." })
  eventDefinitions(
    @ProjectScope("event_definition:read") projectId: ProjectId,
    @Args(() => EventDefinitionsArgs) args: EventDefinitionsArgs,
  ): Promise<Connection<Definition>> {
    const filter = { ...args.filter, kind: "event" } as const
    return readConnection(args, ["definitions", projectId, filter], (page) =>
      this.service.list(projectId, filter, page),
    )
  }

  @Query(() => EventDefinitionType, { description: "One name of events." })
  async eventDefinition(
    @ProjectScope("event_definition:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "The name." }) id: string,
  ): Promise<Definition> {
    return orNotFound(await context.loader(this.lookUp).load({ projectId, key: id }))
  }

  @Mutation(() => EventDefinitionType, { description: "Says something of a name of events." })
  updateEventDefinition(
    @ProjectScope("event_definition:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { description: "The name." }) id: string,
    @Arg("input", () => DefinitionInput, { description: "The fields to set." }) input: DefinitionInput,
  ): Promise<Definition> {
    return this.service.update(projectId, requireCaller(context).userId, toKey(id), input)
  }
}
