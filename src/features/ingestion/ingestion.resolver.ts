import { Query, Resolver } from "type-graphql"
import type { Principal } from "../../kernel/request-context.js"
import { PrincipalScope } from "../access/index.js"
import { IngestionLagType } from "./ingestion.graphql.js"
import type { IngestionLag } from "./ingestion.types.js"
import type { IngestionLagReader } from "./lag/ingestion-lag.store.js"

/** GraphQL operations on ingestion. */
@Resolver()
export class IngestionResolver {
  constructor(private readonly lag: IngestionLagReader) {}

  @Query(() => IngestionLagType, { description: "How far ingestion is behind; at most a second old." })
  ingestionLag(
    @PrincipalScope("ingestion_warning:read", { openToBoundKeys: true }) _caller: Principal,
  ): Promise<IngestionLag> {
    return this.lag.read()
  }
}
