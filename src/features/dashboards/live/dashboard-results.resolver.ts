import { Arg, Ctx, Resolver, Root, Subscription } from "type-graphql"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope } from "../../access/index.js"
import {
  type QueryObject,
  QueryRefreshEnum,
  type RefreshMode,
  requireDemandedScopes,
  showFault,
  showOutcome,
} from "../../queries/index.js"
import { DashboardTileResultType } from "./dashboard-results.graphql.js"
import type { FollowDashboard } from "./follow-dashboard.service.js"
import type { TileOutcome } from "./follow-tile.js"

const SCOPE = "dashboard:read"

interface FollowArguments {
  readonly projectId: string
  readonly shortId: string
  readonly refresh: RefreshMode
}

/** The subscription to all tiles of a dashboard. */
@Resolver()
export class DashboardResultsResolver {
  constructor(private readonly followDashboard: FollowDashboard) {}

  @Subscription(() => DashboardTileResultType, {
    description:
      "Runs all tiles of a dashboard and follows them: each state of a run and each answer, and again when newer events make " +
      "an answer stale. Tiles that are added later are none of them.",
    subscribe: async ({ args, context }: { args: FollowArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      return context.findResolver(DashboardResultsResolver).follow(context, projectId, args)
    },
  })
  async dashboardResults(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("shortId", () => String, { description: "Eight characters that name the dashboard." }) _shortId: string,
    @Arg("refresh", () => QueryRefreshEnum, {
      defaultValue: QueryRefreshEnum.ASYNC,
      description: "How fresh the first answers have to be.",
    })
    _refresh: QueryRefreshEnum,
    @Root() { tileId, query, outcome, fault }: TileOutcome,
  ): Promise<DashboardTileResultType> {
    const refusal = fault ?? (await findRefusal(context, projectId, query))
    if (refusal !== null) return { tileId, result: null, error: showFault(refusal) }
    return { tileId, result: outcome && showOutcome(outcome), error: null }
  }

  private follow(context: RequestContext, projectId: ProjectId, { shortId, refresh }: FollowArguments) {
    return this.followDashboard(projectId, shortId, refresh, (query) => findRefusal(context, projectId, query))
  }
}

/** Why a caller may not see what a query comes to; null when they may. */
async function findRefusal(
  context: RequestContext,
  projectId: ProjectId,
  query: QueryObject,
): Promise<AppError | null> {
  try {
    await context.access.requireProject(context, String(projectId), "query:read")
    await requireDemandedScopes(context, projectId, query)
    return null
  } catch (fault) {
    if (fault instanceof AppError) return fault
    throw fault
  }
}
