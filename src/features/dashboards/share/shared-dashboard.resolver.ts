import { Arg, FieldResolver, Query, Resolver, Root } from "type-graphql"
import { type QueryResult, QueryResultUnion } from "../../queries/index.js"
import { SharedDashboardType, type SharedTile, SharedTileType } from "./shared-dashboard.graphql.js"
import type { SharedDashboardService } from "./shared-dashboard.service.js"

/** What GraphQL shows to whoever has a link. It takes no key: the token alone opens it, and nothing else. */
@Resolver(() => SharedTileType)
export class SharedDashboardResolver {
  constructor(private readonly shared: SharedDashboardService) {}

  @Query(() => SharedDashboardType, { description: "A dashboard by the token of a link to it; needs no key." })
  sharedDashboard(
    @Arg("token", () => String, { description: "What was shown when the link was made." }) token: string,
  ): Promise<SharedDashboardType> {
    return this.shared.find(token)
  }

  @FieldResolver(() => QueryResultUnion, {
    nullable: true,
    description:
      "What its query comes to, without the query; null for a text, and for lists of people, events or records.",
  })
  result(@Root() tile: SharedTile): Promise<QueryResult | null> {
    return this.shared.run(tile)
  }
}
