import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from "type-graphql"
import { orNotFound } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type Connection, readConnection } from "../../platform/graphql/connection.js"
import { ProjectScope, requireCaller } from "../access/index.js"
import {
  DefinitionInput,
  PropertyDefinitionConnection,
  PropertyDefinitionsArgs,
  PropertyDefinitionType,
} from "./definitions.graphql.js"
import type { DefinitionsService } from "./definitions.service.js"
import type { Definition } from "./definitions.types.js"
import { readPropertyId, writePropertyId } from "./property-id.js"

const ID_DESCRIPTION = {
  description: "Whose property it is, the type of group or -1, and the name, with colons between.",
}

/** GraphQL operations on the names of properties. */
@Resolver()
export class PropertyDefinitionsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Definition | null>

  constructor(private readonly service: DefinitionsService) {
    this.lookUp = createLookUpLoader(
      (projectId, ids) => service.findMany(projectId, ids.map(readPropertyId)),
      writePropertyId,
    )
  }

  @Query(() => PropertyDefinitionConnection, {
    description: "Names of properties that ingestion has seen, in their order.",
  })
  propertyDefinitions(
    @ProjectScope("property_definition:read") projectId: ProjectId,
    @Args(() => PropertyDefinitionsArgs) args: PropertyDefinitionsArgs,
  ): Promise<Connection<Definition>> {
    const filter = { ...args.filter, kind: args.of, groupTypeIndex: args.groupTypeIndex }
    return readConnection(args, ["definitions", projectId, filter], (page) =>
      this.service.list(projectId, filter, page),
    )
  }

  @Query(() => PropertyDefinitionType, { description: "One name of properties." })
  async propertyDefinition(
    @ProjectScope("property_definition:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, ID_DESCRIPTION) id: string,
  ): Promise<Definition> {
    return orNotFound(await context.loader(this.lookUp).load({ projectId, key: id }))
  }

  @Mutation(() => PropertyDefinitionType, { description: "Says something of a name of properties." })
  updatePropertyDefinition(
    @ProjectScope("property_definition:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, ID_DESCRIPTION) id: string,
    @Arg("input", () => DefinitionInput, { description: "The fields to set." }) input: DefinitionInput,
  ): Promise<Definition> {
    return this.service.update(projectId, requireCaller(context).userId, readPropertyId(id), input)
  }
}
