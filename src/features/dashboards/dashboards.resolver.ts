import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql"
import { orNotFound } from "../../kernel/errors.js"
import { asUserId, type ProjectId, type UserId } from "../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../platform/graphql/connection.js"
import { type BasicUser, BasicUserType, ProjectScope, requireCaller } from "../access/index.js"
import { type FavouritesLoader, type Insight, type InsightsService, readSavedFilter } from "../insights/index.js"
import {
  DashboardConnection,
  DashboardFilterInput,
  DashboardInput,
  DashboardTileType,
  DashboardType,
} from "./dashboards.graphql.js"
import type { DashboardsService } from "./dashboards.service.js"
import type { Dashboard, ShownTile } from "./dashboards.types.js"
import { showTiles } from "./show-tiles.js"

const SHORT_ID = { description: "Eight characters that name the dashboard." }

/** GraphQL operations on dashboards. */
@Resolver(() => DashboardType)
export class DashboardsResolver {
  private readonly lookUp: LoaderFactory<InProject<string>, Dashboard | null>
  private readonly insightLoader: LoaderFactory<InProject<string>, Insight | null>

  constructor(
    private readonly service: DashboardsService,
    insights: Pick<InsightsService, "findMany">,
    private readonly favouritesLoader: FavouritesLoader,
    private readonly userLoader: LoaderFactory<UserId, BasicUser | null>,
  ) {
    this.lookUp = createLookUpLoader(service.findMany, ({ shortId }) => shortId)
    this.insightLoader = createLookUpLoader(insights.findMany, ({ shortId }) => shortId)
  }

  @Query(() => DashboardConnection, { description: "Dashboards that are not deleted, newest change first." })
  async dashboards(
    @ProjectScope("dashboard:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
    @Arg("filter", () => DashboardFilterInput, { nullable: true, description: "Which ones." })
    filter: DashboardFilterInput | undefined,
  ): Promise<Connection<Dashboard>> {
    const { pinned, insight } = filter ?? {}
    const own = { pinned: pinned ?? undefined, insight: insight ?? undefined }
    const wanted = { ...readSavedFilter(filter ?? {}, context), ...own }
    return readConnection(paging, ["dashboards", projectId, wanted], (page) =>
      this.service.list(projectId, wanted, page),
    )
  }

  @Query(() => DashboardType, { description: "One dashboard by its short id." })
  async dashboard(
    @ProjectScope("dashboard:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
  ): Promise<Dashboard> {
    const found = orNotFound(await context.loader(this.lookUp).load({ projectId, key: shortId }))
    return orNotFound(found.deleted ? null : found)
  }

  @Mutation(() => DashboardType, { description: "Makes a dashboard." })
  createDashboard(
    @ProjectScope("dashboard:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("input", () => DashboardInput, { description: "The dashboard." }) input: DashboardInput,
  ): Promise<Dashboard> {
    return this.service.create(projectId, requireCaller(context).userId, input)
  }

  @Mutation(() => DashboardType, {
    description: "Changes a dashboard; `deleted: true` deletes it softly, `deleted: false` restores it.",
  })
  updateDashboard(
    @ProjectScope("dashboard:write") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("shortId", () => String, SHORT_ID) shortId: string,
    @Arg("input", () => DashboardInput, { description: "The fields to set." }) input: DashboardInput,
  ): Promise<Dashboard> {
    return this.service.update(projectId, requireCaller(context).userId, shortId, input)
  }

  @FieldResolver(() => [DashboardTileType], { description: "Its tiles, in the order in which they were given." })
  tiles(@Root() dashboard: Dashboard, @Ctx() context: RequestContext): Promise<ShownTile[]> {
    const loader = context.loader(this.insightLoader)
    return showTiles(dashboard, (key) => loader.load({ projectId: dashboard.projectId, key }))
  }

  @FieldResolver(() => Boolean, { description: "Whether it is a favourite of the caller's." })
  async isFavourite(@Root() { projectId, id }: Dashboard, @Ctx() context: RequestContext): Promise<boolean> {
    const { userId } = requireCaller(context)
    return (await context.loader(this.favouritesLoader).load({ projectId, userId, kind: "Dashboard" })).has(id)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who created it; null for the server itself." })
  createdBy(@Root() { createdById }: Dashboard, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, createdById)
  }

  @FieldResolver(() => BasicUserType, { nullable: true, description: "Who last changed it; null likewise." })
  lastModifiedBy(@Root() { lastModifiedById }: Dashboard, @Ctx() context: RequestContext): Promise<BasicUser | null> {
    return this.user(context, lastModifiedById)
  }

  private async user(context: RequestContext, id: number | null): Promise<BasicUser | null> {
    return id === null ? null : context.loader(this.userLoader).load(asUserId(id))
  }
}
