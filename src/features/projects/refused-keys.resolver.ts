import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver } from "type-graphql"
import type { RequestContext } from "../../kernel/request-context.js"
import { DateTimeScalar } from "../../platform/graphql/scalars.js"
import { type OrganizationAccess, requireCaller } from "../access/index.js"
import { ProjectType } from "./projects.graphql.js"
import type { RefusedKey, RefusedKeys } from "./refused-keys.cache.js"

@ObjectType("RefusedKey", { description: "A key that somebody sent as a project's and that no project owns." })
class RefusedKeyType {
  @Field(() => String, { description: "Its first ten characters." })
  beginsWith!: string
  @Field(() => Int, { description: "Requests of one address that named it." })
  count!: number
  @Field(() => DateTimeScalar, { description: "When the last of them came." })
  lastAt!: Date
}

/** Says of a project to which nothing comes which keys were refused. */
@Resolver(() => ProjectType)
export class RefusedKeysResolver {
  constructor(
    private readonly keys: Pick<RefusedKeys, "list">,
    private readonly organizations: Pick<OrganizationAccess, "isOperator">,
  ) {}

  @FieldResolver(() => [RefusedKeyType], {
    description:
      "Keys that the answering process has refused in the last ten minutes, the latest first: those that came from the caller's own address, and for who runs the server those of every address.",
  })
  async refusedKeys(@Ctx() context: RequestContext): Promise<RefusedKey[]> {
    const isOperator = await this.organizations.isOperator(requireCaller(context))
    return this.keys.list(isOperator ? null : context.senderIp)
  }
}
