import { Arg, Ctx, ID, Query, Resolver, Root, Subscription } from "type-graphql"
import type { ProjectId } from "../../kernel/ids.js"
import type { RequestContext } from "../../kernel/request-context.js"
import type { Stream } from "../../kernel/stream-until-left.js"
import { ProjectScope } from "../access/index.js"
import { QueryRunType } from "./queries.graphql.js"
import type { QueriesService } from "./queries.service.js"
import { requireVisible } from "./request/demanded-scopes.js"
import type { QueryRun } from "./runs/query-run.js"

const SCOPE = "query:read"
const IDS = { description: "Ids of the runs, at most 100." }

interface StatusesArguments {
  readonly projectId: string
  readonly ids: readonly string[]
}

/** GraphQL operations on several runs at once, such as those of a dashboard. */
@Resolver()
export class QueryStatusesResolver {
  constructor(private readonly queries: QueriesService) {}

  @Query(() => [QueryRunType], {
    nullable: "items",
    description: "The present states of several runs, in the order of the ids; null for one that is not known.",
  })
  async queryStatuses(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("ids", () => [ID], { ...IDS }) ids: string[],
  ): Promise<(QueryRun | null)[]> {
    const runs = await this.queries.statuses(projectId, ids)
    return Promise.all(runs.map((run) => run && requireVisible(context, run)))
  }

  @Subscription(() => QueryRunType, {
    name: "queryStatuses",
    description:
      "Follows several runs: the present state of each first, then each change; ends after the last final one.",
    subscribe: async ({ args, context }: { args: StatusesArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      return context.findResolver(QueryStatusesResolver).watch(projectId, args.ids)
    },
  })
  queryStatusesChanges(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) _projectId: ProjectId,
    @Arg("ids", () => [ID], { ...IDS }) _ids: string[],
    @Root() run: QueryRun,
  ): Promise<QueryRun> {
    return requireVisible(context, run)
  }

  private watch(projectId: ProjectId, ids: readonly string[]): Promise<Stream<QueryRun>> {
    return this.queries.watch(projectId, ids)
  }
}
