import { Arg, Ctx, ID, Mutation, Query, Resolver, Root, Subscription } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope } from "../../access/index.js"
import type { QueryOutcome } from "../answers/query-outcome.js"
import { QueryRunType } from "../queries.graphql.js"
import type { QueriesService } from "../queries.service.js"
import { requireDemandedScopes } from "../request/demanded-scopes.js"
import { toQueryRequest } from "../request/query-request.js"
import type { QueryRun } from "../runs/query-run.js"
import { QueryInput } from "./inputs/query-input.graphql.js"
import { QueryRefreshEnum } from "./query-refresh.graphql.js"
import { QueryResultUnion } from "./results/query-result.graphql.js"
import { type QueryResult, showOutcome } from "./show/show-outcome.js"
import { toWireQuery } from "./wire/to-wire-query.js"

const SCOPE = "query:read"
const REFRESH = { defaultValue: QueryRefreshEnum.BLOCKING, description: "How fresh the answer has to be." }
const RUN_ID = {
  nullable: true,
  description: "Your own id of the run, for status and cancel; at most 200 characters.",
} as const

const TAKES_KEPT = {
  defaultValue: false,
  description: "Whether a fresh answer that is kept will do: the run is complete at once.",
}

interface QueryArguments {
  readonly projectId: string
  readonly input: QueryInput
  readonly refresh: QueryRefreshEnum
  readonly id?: string | null
}

/** GraphQL operations that run queries with typed inputs and results. */
@Resolver()
export class TypedQueriesResolver {
  constructor(private readonly queries: QueriesService) {}

  @Query(() => QueryResultUnion, { description: "Answers a query by its refresh mode." })
  async query(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("input", () => QueryInput, { description: "The query." }) input: QueryInput,
    @Arg("refresh", () => QueryRefreshEnum, { ...REFRESH }) refresh: QueryRefreshEnum,
    @Arg("id", () => ID, { ...RUN_ID }) clientQueryId?: string | null,
  ): Promise<QueryResult> {
    const request = toQueryRequest({ query: toWireQuery(input), refresh, clientQueryId })
    await requireDemandedScopes(context, projectId, request.query)
    return showOutcome(await this.queries.answer(projectId, request))
  }

  @Mutation(() => QueryRunType, { description: "Starts a run in the background, to be followed by its id." })
  async startQuery(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("query", () => QueryInput, { description: "The query." }) query: QueryInput,
    @Arg("takesKept", () => Boolean, { ...TAKES_KEPT }) takesKept: boolean,
    @Arg("id", () => ID, { ...RUN_ID }) clientQueryId?: string | null,
  ): Promise<QueryRun> {
    const request = toQueryRequest({ query: toWireQuery(query), clientQueryId })
    await requireDemandedScopes(context, projectId, request.query)
    return this.queries.start(projectId, { ...request, takesKept })
  }

  @Subscription(() => QueryResultUnion, {
    name: "query",
    description:
      "Runs a query and follows it: a stale answer where the mode allows one, each state of the run, last the answer.",
    subscribe: async ({ args, context }: { args: QueryArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      return context.findResolver(TypedQueriesResolver).runAndFollow(context, projectId, args)
    },
  })
  async queryOutcomes(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("input", () => QueryInput, { description: "The query." }) input: QueryInput,
    @Arg("refresh", () => QueryRefreshEnum, { ...REFRESH }) _refresh: QueryRefreshEnum,
    @Arg("id", () => ID, { ...RUN_ID }) _id: string | null | undefined,
    @Root() outcome: QueryOutcome,
  ): Promise<QueryResult> {
    await requireDemandedScopes(context, projectId, toQueryRequest({ query: toWireQuery(input) }).query)
    return showOutcome(outcome)
  }

  private async runAndFollow(context: RequestContext, projectId: ProjectId, { input, refresh, id }: QueryArguments) {
    const request = toQueryRequest({ query: toWireQuery(input), refresh, clientQueryId: id })
    await requireDemandedScopes(context, projectId, request.query)
    return this.queries.runAndFollow(projectId, request)
  }
}
