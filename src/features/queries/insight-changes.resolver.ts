import { Arg, Resolver, Root, Subscription } from "type-graphql"
import type { ProjectId } from "../../kernel/ids.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { ProjectScope } from "../access/index.js"
import { InsightChangeType } from "./insight-changes.graphql.js"
import type { QueriesService } from "./queries.service.js"
import { requireDemandedScopes } from "./request/demanded-scopes.js"
import { toQueryRequest } from "./request/query-request.js"
import { QueryInput } from "./typed/inputs/query-input.graphql.js"
import { toWireQuery } from "./typed/wire/to-wire-query.js"
import type { InsightChange } from "./watch-insights.service.js"

const SCOPE = "query:read"

interface WatchArguments {
  readonly projectId: string
  readonly inputs: readonly QueryInput[]
}

/** The subscription to kept answers that newer data makes stale. */
@Resolver()
export class InsightChangesResolver {
  constructor(private readonly queries: QueriesService) {}

  @Subscription(() => InsightChangeType, {
    description:
      "Tells which kept answers of these queries miss events that have been stored since; to be asked again.",
    subscribe: async ({ args, context }: { args: WatchArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      return context.findResolver(InsightChangesResolver).watch(context, projectId, args.inputs)
    },
  })
  insightChanges(
    @ProjectScope(SCOPE) _projectId: ProjectId,
    @Arg("inputs", () => [QueryInput], { description: "The queries, at most 100." }) _inputs: QueryInput[],
    @Root() change: InsightChange,
  ): InsightChange {
    return change
  }

  private async watch(context: RequestContext, projectId: ProjectId, inputs: readonly QueryInput[]) {
    const queries = inputs.map((input) => toQueryRequest({ query: toWireQuery(input) }).query)
    for (const query of queries) await requireDemandedScopes(context, projectId, query)
    return this.queries.watchInsights(projectId, queries)
  }
}
