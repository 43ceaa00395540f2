import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root, Subscription } from "type-graphql"
import { toGraphqlCode } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { RequestContext } from "../../kernel/request-context.js"
import type { Stream } from "../../kernel/stream-until-left.js"
import { JsonScalar } from "../../platform/graphql/scalars.js"
import { ProjectScope } from "../access/index.js"
import { statusBody, toPercentage } from "./answers/query-answers.js"
import type { DraftSql } from "./draft-sql.service.js"
import {
  QueryExportFormatEnum,
  QueryProgressType,
  QueryRunErrorType,
  QueryRunType,
  RunQueryInput,
} from "./queries.graphql.js"
import type { QueriesService } from "./queries.service.js"
import { requireDemandedScopes, requireVisible } from "./request/demanded-scopes.js"
import { toQueryRequest } from "./request/query-request.js"
import { INTERRUPTED, type QueryRun } from "./runs/query-run.js"
import { toStatusWait } from "./runs/wait-for-change.js"
import { QueryAnswerType } from "./typed/results/query-answer.graphql.js"
import { showAnswer } from "./typed/show/show-answer.js"

const SCOPE = "query:read"

const WAIT = {
  defaultValue: 0,
  description: "Hold the answer until the state changes, at most this long (30); 0 answers at once.",
}
const WAKES_ON_PROGRESS = { defaultValue: false, description: "Let progress end the wait too." }
const DEQUEUE_ONLY = { defaultValue: false, description: "Leave a run alone that has been picked up." }
const SHOWS_PROGRESS = { defaultValue: false, description: "Fill query_progress while the run is running." }

interface RunArguments {
  readonly projectId: string
  readonly id: string
}

/** GraphQL operations on queries. REST rows run the same operations. */
@Resolver(() => QueryRunType)
export class QueriesResolver {
  constructor(
    private readonly queries: QueriesService,
    private readonly draft: DraftSql,
  ) {}

  @Mutation(() => JsonScalar, {
    description: "Runs a query by its refresh mode; the answer is the body of POST …/query.",
  })
  async runQuery(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("input", () => RunQueryInput, { description: "The query and how fresh it has to be." }) input: RunQueryInput,
  ): Promise<JsonObject> {
    const request = toQueryRequest(input)
    await requireDemandedScopes(context, projectId, request.query)
    return this.queries.run(projectId, request)
  }

  @Query(() => QueryRunType, { description: "The present state of a tracked run, or the next one with waitSeconds." })
  async queryStatus(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, { description: "Id of the run." }) id: string,
    @Arg("waitSeconds", () => Int, { ...WAIT }) waitSeconds: number,
    @Arg("wakesOnProgress", () => Boolean, { ...WAKES_ON_PROGRESS }) wakesOnProgress: boolean,
  ): Promise<QueryRun> {
    return requireVisible(context, await this.queries.status(projectId, id, toStatusWait(waitSeconds, wakesOnProgress)))
  }

  @Query(() => String, {
    description: "HogQL of a query of any kind; without one, a SELECT to start from over the most frequent event.",
  })
  draftSql(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("query", () => JsonScalar, { nullable: true, description: "Query object." }) query?: Json,
    @Arg("prompt", () => String, { nullable: true, description: "Refused: no model is part of Waymark." })
    prompt?: string | null,
  ): Promise<string> {
    return this.draft(projectId, { query, prompt })
  }

  @Mutation(() => QueryRunType, {
    description: "Stops a run and the engine's work for it; the status of a finished run is dropped instead.",
  })
  async cancelQuery(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, { description: "Id of the run." }) id: string,
    @Arg("dequeueOnly", () => Boolean, { ...DEQUEUE_ONLY }) isDequeueOnly: boolean,
  ): Promise<QueryRun> {
    await requireVisible(context, await this.queries.status(projectId, id))
    return this.queries.cancel(projectId, id, isDequeueOnly)
  }

  @Subscription(() => QueryRunType, {
    name: "queryStatus",
    description: "Follows a run: the present state first, then each change, ending after the final state.",
    subscribe: async ({ args, context }: { args: RunArguments; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      return context.findResolver(QueriesResolver).watch(projectId, args.id)
    },
  })
  queryStatusChanges(
    @Ctx() context: RequestContext,
    @ProjectScope(SCOPE) _projectId: ProjectId,
    @Arg("id", () => ID, { description: "Id of the run." }) _id: string,
    @Root() run: QueryRun,
  ): Promise<QueryRun> {
    return requireVisible(context, run)
  }

  @FieldResolver(() => JsonScalar, { description: "The same state as REST shows it under `query_status`." })
  wire(
    @Root() run: QueryRun,
    @Arg("showsProgress", () => Boolean, { ...SHOWS_PROGRESS }) showsProgress: boolean,
  ): JsonObject {
    return statusBody(run, { showsProgress })
  }

  @FieldResolver(() => String, {
    description:
      "Address under which the rows of the query can be fetched with the same key, as long as the run is kept.",
  })
  exportUrl(
    @Root() { projectId, id }: QueryRun,
    @Ctx() { baseUrl }: RequestContext,
    @Arg("format", () => QueryExportFormatEnum, {
      defaultValue: QueryExportFormatEnum.CSV,
      description: "What the rows are written in.",
    })
    format: QueryExportFormatEnum,
  ): string {
    return `${baseUrl}/api/environments/${projectId}/query/${encodeURIComponent(id)}/export/?format=${format}`
  }

  @FieldResolver(() => QueryProgressType, { nullable: true, description: "Present while running." })
  progress(@Root() { progress }: QueryRun): QueryProgressType | null {
    return progress && { ...progress, percentage: toPercentage(progress) }
  }

  @FieldResolver(() => QueryRunErrorType, { nullable: true, description: "What it failed with, for programs." })
  error(@Root() { error, errorMessage }: QueryRun): QueryRunErrorType | null {
    if (error === null) return null
    const { code: wireCode, start, end } = error
    const code = wireCode === INTERRUPTED ? "QUERY_CANCELLED" : toGraphqlCode(wireCode)
    return { code, wireCode, message: errorMessage ?? wireCode, start, end }
  }

  @FieldResolver(() => QueryAnswerType, {
    nullable: true,
    description: "The answer as the type of its kind, once complete.",
  })
  result(@Root() { answer }: QueryRun): QueryAnswerType | null {
    return answer && showAnswer(answer, null)
  }

  private watch(projectId: ProjectId, id: string): Promise<Stream<QueryRun>> {
    return this.queries.watch(projectId, [id])
  }
}
