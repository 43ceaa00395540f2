import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"
import { ProjectScope } from "../../access/index.js"
import { QueryExportFormatEnum } from "../queries.graphql.js"
import type { QueriesService } from "../queries.service.js"
import { requireDemandedScopes } from "../request/demanded-scopes.js"
import { toQueryRequest } from "../request/query-request.js"
import { QueryInput } from "../typed/inputs/query-input.graphql.js"
import { toWireQuery } from "../typed/wire/to-wire-query.js"
import type { ExportTickets } from "./export-tickets.js"

@ObjectType("QueryExport", { description: "An export that can be fetched." })
class QueryExportType {
  @Field(() => String, { description: "Address of the file: for one request, by whoever has it, without a key." })
  url!: string
  @Field(() => DateTimeScalar, { description: "Until when that request has to begin." })
  expiresAt!: Date
  @Field(() => ID, { description: "Id of the run that begins with it, to follow and to cancel it by." })
  queryId!: string
}

const FORMAT = { defaultValue: QueryExportFormatEnum.CSV, description: "What the rows are written in." }

/** GraphQL operations on exports of queries. */
@Resolver()
export class ExportsResolver {
  constructor(
    private readonly tickets: ExportTickets,
    private readonly queries: Pick<QueriesService, "check">,
    private readonly newId: () => string,
  ) {}

  @Mutation(() => QueryExportType, {
    description: "Permits one download of all rows of a query, past the limits of answers. The query is checked first.",
  })
  async exportQuery(
    @Ctx() context: RequestContext,
    @ProjectScope("query:read") projectId: ProjectId,
    @Arg("query", () => QueryInput, { description: "The query." }) query: QueryInput,
    @Arg("format", () => QueryExportFormatEnum, { ...FORMAT }) format: QueryExportFormatEnum,
  ): Promise<QueryExportType> {
    const queryId = this.newId()
    const request = toQueryRequest({
      query: await this.queries.check(projectId, toWireQuery(query)),
      clientQueryId: queryId,
    })
    await requireDemandedScopes(context, projectId, request.query)
    const { token, expiresAt } = await this.tickets.issue({ projectId, request, format })
    return { url: `${context.baseUrl}/exports/${token}`, expiresAt, queryId }
  }
}
