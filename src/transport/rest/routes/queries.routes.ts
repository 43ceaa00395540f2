import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { anyJson, flag, nullable, object, readFields, text } from "../body-fields.js"
import { defineGuarded, defineRoute, defineUnbuilt } from "../define-route.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { ANY_OBJECT, BOOLEAN, objectOf, TEXT } from "../schemas.js"

const LIST = "/api/environments/:project_id/query"
const ONE = `${LIST}/:id`
const SCOPE = "query:read"
const SOURCE = "interface.md, Queries"
const REFRESH = ["blocking", "async", "lazy_async", "force_blocking", "force_async", "force_cache"]

function toRunVariables({ params, body }: RestRequest) {
  if (isJsonObject(body) && body.query === undefined) throw new AppError("required", { attr: "query" })
  const input = readFields(body, {
    query: ["query", object],
    client_query_id: ["clientQueryId", nullable(text)],
    refresh: ["refresh", anyJson],
    async: ["async", nullable(flag)],
    filters_override: ["filtersOverride", anyJson],
    variables_override: ["variablesOverride", anyJson],
  })
  // Null means "none" here, and an operation that knows no overrides need not hear of them.
  if (input.filtersOverride === null) delete input.filtersOverride
  if (input.variablesOverride === null) delete input.variablesOverride
  return { projectId: params.project_id, input }
}

/** Rows of `interface.md`, "Queries". */
export const queryRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "query_create",
    method: "POST",
    path: LIST,
    scope: SCOPE,
    body: "json",
    operation: `mutation ($projectId: ID!, $input: QueryInput!) {
      answer: runQuery(projectId: $projectId, input: $input) }`,
    variables: toRunVariables,
    reply: ({ answer }: { answer: Json }) => ({ status: 200, body: answer }),
    statuses: [200],
    doc: {
      summary: "Run a query now or in the background.",
      source: SOURCE,
      requestSchema: objectOf(
        {
          query: ANY_OBJECT,
          client_query_id: TEXT,
          refresh: { type: "string", enum: REFRESH, default: "blocking" },
          async: BOOLEAN,
          filters_override: ANY_OBJECT,
          variables_override: ANY_OBJECT,
        },
        ["query"],
      ),
      responseSchema: ANY_OBJECT,
    },
  }),
  defineGuarded({
    id: "query_check_auth_for_async_create",
    method: "POST",
    path: `${LIST}/check_auth_for_async`,
    scope: SCOPE,
    reply: () => ({ status: 200, body: { user: "ok" } }),
    statuses: [200],
    doc: { summary: "Check that the key may run queries in the background.", source: SOURCE },
  }),
  defineUnbuilt({
    id: "query_draft_sql_retrieve",
    method: "GET",
    path: `${LIST}/draft_sql`,
    scope: SCOPE,
    doc: { summary: "Draft the SQL of a question.", source: SOURCE },
  }),
  defineRoute({
    id: "query_retrieve",
    method: "GET",
    path: ONE,
    scope: SCOPE,
    body: "none",
    operation: "query ($projectId: ID!, $id: ID!) { run: queryStatus(projectId: $projectId, id: $id) { state wire } }",
    variables: ({ params }) => ({ projectId: params.project_id, id: params.id }),
    reply: ({ run }: { run: { state: string; wire: Json } }, { params }) => {
      // On this path a cancelled run is gone (`reference/management.md` 7.4); GraphQL still tells how it ended.
      if (run.state === "CANCELLED") throw new AppError("not_found", { detail: `Query ${params.id} was cancelled.` })
      return { status: 200, headers: { "X-Query-State": run.state.toLowerCase() }, body: { query_status: run.wire } }
    },
    statuses: [200],
    doc: {
      summary: "Get the status of a query; the header X-Query-State names its state.",
      source: SOURCE,
      responseSchema: objectOf({ query_status: ANY_OBJECT }, ["query_status"]),
    },
  }),
  defineRoute({
    id: "query_destroy",
    method: "DELETE",
    path: ONE,
    scope: SCOPE,
    body: "none",
    operation: "mutation ($projectId: ID!, $id: ID!) { cancelQuery(projectId: $projectId, id: $id) { id } }",
    variables: ({ params }) => ({ projectId: params.project_id, id: params.id }),
    reply: () => ({ status: 204 }),
    statuses: [204],
    doc: { summary: "Cancel a query.", source: SOURCE },
  }),
]
