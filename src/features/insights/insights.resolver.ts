import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql"
import { orNotFound } from "../../kernel/errors.js"
import { asUserId, type ProjectId, type UserId } from "../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../access/index.js"
import { InsightConnection, InsightFilterInput, InsightType, SavedInsightInput } from "./insights.graphql.js"
import type { InsightsService } from "./insights.service.js"
import type { Insight } from "./insights.types.js"
import { readSavedFilter } from "./saved/read-saved.js"
import type { FavouritesLoader } from "./saved/saved.repository.js"

const SHORT_ID = { description: "Eight characters that name the insight." }

/** GraphQL operations on insights. */
@Resolver(() => InsightType)
export class InsightsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Insight | null>

  constructor(
    private readonly service: InsightsService,
    private readonly favouritesLoader: FavouritesLoader,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {
    this.lookUp = createLookUpLoader(service.findMany, ({ shortId }) => shortId)
  }

  @Query(() => InsightConnection, { description: "Insights that are not deleted, newest change first." })
  async insights(
    @ProjectScope("insight:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
    @Arg("filter", () => InsightFilterInput, { nullable: true, description: "Which ones." })
    filter: InsightFilterInput | undefined,
  ): Promise<Connection<Insight>> {
    const wanted = { ...readSavedFilter(filter ?? {}, context), kind: filter?.kind ?? undefined }
    return readConnection(paging, ["insights", projectId, wanted], (page) => this.service.list(projectId, wanted, page))
  }

  @Query(() => InsightType, { description: "One insight by its short id." })
  async insight(
    @ProjectScope("insight:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
  ): Promise<Insight> {
    const found = orNotFound(await context.loader(this.lookUp).load({ projectId, key: shortId }))
    return orNotFound(found.deleted ? null : found)
  }

  @Mutation(() => InsightType, { description: "Keeps a query under a name." })
  createInsight(
    @ProjectScope("insight:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => SavedInsightInput, { description: "The insight." }) input: SavedInsightInput,
  ): Promise<Insight> {
    return this.service.create(projectId, requireCaller(context).userId, input)
  }

  @Mutation(() => InsightType, {
    description: "Changes an insight; `deleted: true` deletes it softly, `deleted: false` restores it.",
  })
  updateInsight(
    @ProjectScope("insight:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Arg("input", () => SavedInsightInput, { description: "The fields to set." }) input: SavedInsightInput,
  ): Promise<Insight> {
    return this.service.update(projectId, requireCaller(context).userId, shortId, input)
  }

  @FieldResolver(() => String, { description: "Kind of the query, as REST names it." })
  kind(@Root() { query }: Insight): string {
    return query.kind
  }

  @FieldResolver(() => Boolean, { description: "Whether it is a favourite of the caller's." })
  async isFavourite(@Root() { projectId, id }: Insight, @Ctx() context: RequestContext): Promise<boolean> {
    const { userId } = requireCaller(context)
    return (await context.loader(this.favouritesLoader).load({ projectId, userId, kind: "Insight" })).has(id)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who created it; null for the server itself." })
  createdBy(@Root() { createdById }: Insight, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, createdById)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who last changed it; null likewise." })
  lastModifiedBy(@Root() { lastModifiedById }: Insight, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, lastModifiedById)
  }

  private async user(context: RequestContext, id: number | null): Promise<BasicUser | null> {
    return id === null ? null : context.loader(this.userLoader).load(asUserId(id))
  }
}
