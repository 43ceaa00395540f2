import { AppError } from "../../../kernel/errors.js"
import { type Json, parseJson } from "../../../kernel/json.js"
import { ANY_OBJECT, BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { anyJson, defineBody, type FieldReader, flag, nullable, object, text } from "../body-fields.js"
import { defineDownload, defineEvents, defineGuarded, defineRoute } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import type { RestRoute } from "../rest-route.types.js"

const LIST = "/api/environments/:project_id/query"
const ONE = `${LIST}/:id`
const SCOPE = "query:read"
const SOURCE = "docs/contract/queries.md#query-request"
const FINAL_STATES = new Set(["COMPLETE", "FAILED", "CANCELLED"])
const EXPORT_TYPES = ["text/csv", "application/x-ndjson", "application/vnd.apache.parquet"]
const REFRESH = ["blocking", "async", "lazy_async", "force_blocking", "force_async", "force_cache"]

const isOn = (query: URLSearchParams, name: string): boolean => /^(?:true|t|yes|on|1)$/i.test(query.get(name) ?? "")

/** Null means "none" here, and an operation that knows no overrides need not hear of them. */
const readOverride: FieldReader<Json | undefined> = (value) => value ?? undefined

const RUN = defineBody({
  query: { schema: ANY_OBJECT, read: object, isRequired: true },
  client_query_id: { schema: TEXT, read: nullable(text) },
  refresh: { schema: { type: "string", enum: REFRESH, default: "blocking" }, read: anyJson },
  async: { schema: BOOLEAN, read: nullable(flag) },
  filters_override: { schema: ANY_OBJECT, read: readOverride },
  variables_override: { schema: ANY_OBJECT, read: readOverride },
})

const EXPORT_QUERY = [{ name: "format", description: "csv (default), jsonl or parquet.", schema: TEXT }]
const toExportFormat = (query: URLSearchParams): string => query.get("format") ?? "csv"

const STATUS_QUERY = defineQuery({
  wait: {
    description: "Hold the answer up to this many seconds (30) for a change.",
    schema: INTEGER,
    read: (query, name) => Number(/^\d{1,4}$/.exec(query.get(name) ?? "")?.[0] ?? 0),
  },
  show_progress: {
    description: "Fill query_progress while the query runs.",
    schema: BOOLEAN,
    as: "progress",
    read: isOn,
  },
})
const CANCEL_QUERY = defineQuery({
  dequeue_only: { description: "Leave a query alone that has been picked up.", schema: BOOLEAN, read: isOn },
})

/** @throws AppError parse_error for a parameter that is no JSON. */
function readQueryParameter(text: string | null): Json | null {
  if (text === null || text === "") return null
  try {
    return parseJson(text)
  } catch {
    throw new AppError("parse_error", { attr: "query", detail: "The parameter query must be a query object as JSON." })
  }
}

/** Rows of `docs/contract/queries.md#query-request`. */
export const queryRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "query_create",
    method: "POST",
    path: LIST,
    scope: SCOPE,
    body: "json",
    operation: `mutation ($projectId: ID!, $input: QueryInput!) {
      answer: runQuery(projectId: $projectId, input: $input) }`,
    variables: ({ body }) => ({ input: RUN.read(body) }),
    reply: ({ answer }: { answer: Json }) => ({ status: 200, body: answer }),
    doc: {
      summary: "Run a query now or in the background.",
      source: SOURCE,
      requestSchema: RUN.schema,
      responseSchema: ANY_OBJECT,
      faults: [409, 504],
    },
  }),
  defineGuarded({
    id: "query_check_auth_for_async_create",
    method: "POST",
    path: `${LIST}/check_auth_for_async`,
    scope: SCOPE,
    reply: () => ({ status: 200, body: { user: "ok" } }),
    doc: {
      summary: "Check that the key may run queries in the background.",
      source: SOURCE,
      responseSchema: toObjectSchema({ user: TEXT }),
    },
  }),
  defineRoute({
    id: "query_draft_sql_retrieve",
    method: "GET",
    path: `${LIST}/draft_sql`,
    scope: SCOPE,
    operation: `query ($projectId: ID!, $query: JSON, $prompt: String) {
      sql: draftSql(projectId: $projectId, query: $query, prompt: $prompt) }`,
    variables: ({ query }) => ({
      query: readQueryParameter(query.get("query")),
      prompt: query.get("prompt"),
    }),
    reply: ({ sql }: { sql: string }) => ({ status: 200, body: { sql } }),
    doc: {
      summary: "Get the HogQL of a query, or a SELECT to start from.",
      source: SOURCE,
      query: [{ name: "query", description: "Query object of any kind, as JSON.", schema: TEXT }],
      responseSchema: toObjectSchema({ sql: TEXT }, ["sql"]),
    },
  }),
  defineDownload({
    id: "query_export_create",
    method: "POST",
    path: `${LIST}/export`,
    scope: SCOPE,
    download: "exportQuery",
    variables: ({ body, query }) => ({ input: RUN.read(body), format: toExportFormat(query) }),
    doc: {
      summary:
        "Export up to 10,000,000 rows of a query of any kind. X-Export-Progress is the address of the run's status, which tells the progress; X-Export-Rows and X-Export-Has-More come as trailers.",
      source: SOURCE,
      query: EXPORT_QUERY,
      requestSchema: toObjectSchema({ query: ANY_OBJECT, client_query_id: TEXT, filters_override: ANY_OBJECT }, [
        "query",
      ]),
      alsoAs: EXPORT_TYPES,
      faults: [409, 504],
    },
  }),
  defineDownload({
    id: "query_run_export_retrieve",
    method: "GET",
    path: `${ONE}/export`,
    scope: SCOPE,
    download: "exportRun",
    variables: ({ params, query }) => ({ id: params.id, format: toExportFormat(query) }),
    doc: {
      summary: "Export the rows of a query that is known by its id. Headers and trailers as of the other export.",
      source: SOURCE,
      query: EXPORT_QUERY,
      alsoAs: EXPORT_TYPES,
      faults: [409, 504],
    },
  }),
  defineEvents({
    id: "query_events_retrieve",
    method: "GET",
    path: `${ONE}/events`,
    scope: SCOPE,
    operation: `subscription ($projectId: ID!, $id: ID!) {
      run: queryStatus(projectId: $projectId, id: $id) { state sequence wire(showsProgress: true) } }`,
    event: ({ run }: { run: { state: string; sequence: number; wire: Json } }) => ({
      id: String(run.sequence),
      event: run.state.toLowerCase(),
      data: { query_status: run.wire },
      isLast: FINAL_STATES.has(run.state),
    }),
    statuses: [200, 204],
    doc: {
      summary: "Follow a query as server-sent events: its present state first, its final state last.",
      source: SOURCE,
      alsoAs: ["text/event-stream"],
    },
  }),
  defineRoute({
    id: "query_retrieve",
    method: "GET",
    path: ONE,
    scope: SCOPE,
    operation: `query ($projectId: ID!, $id: ID!, $wait: Int!, $progress: Boolean!) {
      run: queryStatus(projectId: $projectId, id: $id, waitSeconds: $wait, wakesOnProgress: $progress) {
        state sequence wire(showsProgress: $progress) } }`,
    variables: STATUS_QUERY.read,
    reply: ({ run }: { run: { state: string; sequence: number; wire: Json } }, { params }) => {
      // On this path a cancelled run is gone (`docs/contract/queries.md#status-paths`); GraphQL still tells how it
      // ended.
      if (run.state === "CANCELLED") throw new AppError("not_found", { detail: `Query ${params.id} was cancelled.` })
      const headers = { "X-Query-State": run.state.toLowerCase(), "X-Query-Sequence": String(run.sequence) }
      return { status: 200, headers, body: { query_status: run.wire } }
    },
    doc: {
      summary: "Get the status of a query; the header X-Query-State names its state.",
      source: SOURCE,
      query: STATUS_QUERY.docs,
      responseSchema: toObjectSchema({ query_status: ANY_OBJECT }, ["query_status"]),
    },
  }),
  defineRoute({
    id: "query_destroy",
    method: "DELETE",
    path: ONE,
    scope: SCOPE,
    operation: `mutation ($projectId: ID!, $id: ID!, $dequeueOnly: Boolean!) {
      cancelQuery(projectId: $projectId, id: $id, dequeueOnly: $dequeueOnly) { id } }`,
    variables: CANCEL_QUERY.read,
    statuses: [204],
    doc: {
      summary: "Cancel a query.",
      source: SOURCE,
      query: CANCEL_QUERY.docs,
    },
  }),
]
