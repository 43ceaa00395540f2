import { Query, Resolver } from "type-graphql"
import type { Principal } from "../../kernel/request-context.js"
import { type OrganizationAccess, PrincipalScope } from "../access/index.js"
import { ServerHealthType } from "./server-health.graphql.js"

/** GraphQL operations on the server as a whole. */
@Resolver()
export class ServerHealthResolver {
  constructor(
    private readonly read: () => Promise<ServerHealthType>,
    private readonly organizations: Pick<OrganizationAccess, "requireOperator">,
  ) {}

  @Query(() => ServerHealthType, {
    description: "How the server and its stores are; for owners and admins of the organization that runs it.",
  })
  async serverHealth(@PrincipalScope("organization:read") caller: Principal): Promise<ServerHealthType> {
    await this.organizations.requireOperator(caller)
    return this.read()
  }
}
