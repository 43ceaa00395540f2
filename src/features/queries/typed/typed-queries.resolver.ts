import { Arg, Ctx, ID, Query, Resolver } from "type-graphql"
import { assertNever } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope } from "../../access/index.js"
import type { QueryOutcome } from "../answers/query-outcome.js"
import type { QueriesService } from "../queries.service.js"
import { requireDemandedScopes } from "../request/demanded-scopes.js"
import { toQueryRequest } from "../request/query-request.js"
import type { QueryRun } from "../runs/query-run.js"
import { QueryInput } from "./inputs/query-input.graphql.js"
import { QueryRefreshEnum } from "./query-refresh.graphql.js"
import type { CacheMissType, QueryAnswerType } from "./results/query-answer.graphql.js"
import { QueryResultUnion } from "./results/query-result.graphql.js"
import { showAnswer } from "./show/show-answer.js"
import { toWireQuery } from "./wire/to-wire-query.js"

const SCOPE = "query:read"
const REFRESH = { defaultValue: QueryRefreshEnum.BLOCKING, description: "How fresh the answer has to be." }
const RUN_ID = {
  nullable: true,
  description: "Your own id of the run, for status and cancel; at most 200 characters.",
} as const

/** What a query comes to, as the union of the schema has it. */
export type QueryResult = QueryAnswerType | QueryRun | CacheMissType

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
    return toQueryResult(await this.queries.answer(projectId, request))
  }
}

/** An outcome as the union of the schema has it: a stale answer names the run that renews it. */
function toQueryResult(outcome: QueryOutcome): QueryResult {
  switch (outcome.is) {
    case "answered":
      return showAnswer(outcome.body, null)
    case "started":
      return outcome.stale === null ? outcome.run : showAnswer(outcome.stale, outcome.run)
    case "missed":
      return { resultType: "CacheMiss", key: outcome.cacheKey }
    default:
      return assertNever(outcome)
  }
}
