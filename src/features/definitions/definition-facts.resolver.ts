import { Ctx, FieldResolver, Resolver, Root } from "type-graphql"
import type { UserId } from "../../kernel/ids.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type BasicUser, BasicUserType } from "../access/index.js"
import { DefinitionType } from "./definitions.graphql.js"
import type { Definition } from "./definitions.types.js"

/** Who stands behind what is said of a name. */
@Resolver(() => DefinitionType)
export class DefinitionFactsResolver {
  constructor(private readonly userLoader: LoaderFactory<UserId, BasicUser | null>) {}

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who answers for it; null for nobody." })
  owner(@Root() { ownerId }: Definition, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, ownerId)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who last said something; null for nobody." })
  lastModifiedBy(@Root() { lastModifiedById }: Definition, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, lastModifiedById)
  }

  private async user(context: RequestContext, id: UserId | null): Promise<BasicUser | null> {
    return id === null ? null : context.loader(this.userLoader).load(id)
  }
}
