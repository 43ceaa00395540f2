import { AppError } from "../../../kernel/errors.js"
import { type Json, parseJson } from "../../../kernel/json.js"
import { ANY_OBJECT, BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { anyJson, defineBody, type FieldReader, flag, nullable, object, text } from "../body-fields.js"
import { defineRoutes } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import type { RestRoute } from "../rest-route.types.js"

const FINAL_STATES = new Set(["COMPLETE", "FAILED", "CANCELLED"])
const EXPORT_TYPES = ["text/csv", "application/x-ndjson", "application/vnd.apache.parquet"]
const REFRESH = ["blocking", "async", "lazy_async", "force_blocking", "force_async", "force_cache"]

const isOn = (query: URLSearchParams, name: string): boolean => /^(?:true|t|yes|on|1)$/i.test(query.get(name) ?? "")

/** Null means "none" here, and an operation that knows no overrides need not hear of them. */
const readOverride: FieldReader<Json | undefined> = (value) => value ?? undefined

/** Stands for the schema of all kinds (`kinds/query-schema.ts` of queries), which this layer cannot know. */
const QUERY = { title: "Query", ...ANY_OBJECT }
const EXAMPLE = { query: { kind: "HogQLQuery", query: "SELECT event, count() FROM events GROUP BY event" } }

const RUN = defineBody({
  query: { schema: QUERY, read: object, isRequired: true },
  client_query_id: { schema: TEXT, read: nullable(text) },
  refresh: { schema: { type: "string", enum: REFRESH, default: "blocking" }, read: anyJson },
  async: { schema: BOOLEAN, read: nullable(flag) },
  filters_override: { schema: ANY_OBJECT, read: readOverride },
  variables_override: { schema: ANY_OBJECT, read: readOverride },
})

const EXPORT_QUERY = defineQuery({
  format: { description: "csv (default), jsonl or parquet.", read: (query, name) => query.get(name) ?? "csv" },
})
const STATUS_QUERY = defineQuery({
  wait: {
    description: "Hold the answer up to this many seconds (30) for a change.",
    schema: INTEGER,
    as: "waitSeconds",
    read: (query, name) => Number(/^\d{1,4}$/.exec(query.get(name) ?? "")?.[0] ?? 0),
  },
  show_progress: {
    description: "Fill query_progress while the query runs.",
    schema: BOOLEAN,
    as: "wakesOnProgress",
    read: isOn,
  },
})
const CANCEL_QUERY = defineQuery({
  dequeue_only: { description: "Leave a query alone that has been picked up.", schema: BOOLEAN, read: isOn },
})
const DRAFT_QUERY = defineQuery({
  query: { description: "Query object of any kind, as JSON.", read: readQueryParameter },
})

/** @throws AppError parse_error for a parameter that is no JSON. */
function readQueryParameter(query: URLSearchParams, name: string): Json | null {
  const text = query.get(name)
  if (text === null || text === "") return null
  try {
    return parseJson(text)
  } catch {
    throw new AppError("parse_error", { attr: "query", detail: "The parameter query must be a query object as JSON." })
  }
}

const { route, guarded, download, events } = defineRoutes({
  path: "/api/environments/:project_id/query",
  scope: "query:read",
  source: "docs/contract/queries.md#query-request",
})

/** Rows of `docs/contract/queries.md#query-request`. */
export const queryRoutes: readonly RestRoute[] = [
  route({
    id: "query_create",
    on: "POST",
    body: RUN,
    operation: "mutation { answer: runQuery }",
    variables: ({ body }) => ({ input: RUN.read(body) }),
    reply: ({ answer }) => ({ status: 200, body: answer }),
    summary: "Run a query now or in the background.",
    example: { ...EXAMPLE, refresh: "blocking" },
    responseSchema: ANY_OBJECT,
    faults: [409, 504],
  }),
  guarded({
    id: "query_check_auth_for_async_create",
    on: "POST /check_auth_for_async",
    reply: () => ({ status: 200, body: { user: "ok" } }),
    summary: "Check that the key may run queries in the background.",
    responseSchema: toObjectSchema({ user: TEXT }),
  }),
  route({
    id: "query_draft_sql_retrieve",
    on: "GET /draft_sql",
    query: DRAFT_QUERY,
    operation: "{ sql: draftSql }",
    variables: (request) => ({ ...DRAFT_QUERY.read(request), prompt: request.query.get("prompt") }),
    reply: ({ sql }) => ({ status: 200, body: { sql } }),
    summary: "Get the HogQL of a query, or a SELECT to start from.",
    responseSchema: toObjectSchema({ sql: TEXT }, ["sql"]),
  }),
  download({
    id: "query_export_create",
    on: "POST /export",
    query: EXPORT_QUERY,
    download: "exportQuery",
    variables: (request) => ({ input: RUN.read(request.body), ...EXPORT_QUERY.read(request) }),
    summary:
      "Export up to 10,000,000 rows of a query of any kind. X-Export-Progress is the address of the run's status, which tells the progress; X-Export-Rows and X-Export-Has-More come as trailers.",
    example: EXAMPLE,
    requestSchema: toObjectSchema({ query: QUERY, client_query_id: TEXT, filters_override: ANY_OBJECT }, ["query"]),
    alsoAs: EXPORT_TYPES,
    faults: [409, 504],
  }),
  download({
    id: "query_run_export_retrieve",
    on: "GET /:id/export",
    query: EXPORT_QUERY,
    download: "exportRun",
    summary: "Export the rows of a query that is known by its id. Headers and trailers as of the other export.",
    alsoAs: EXPORT_TYPES,
    faults: [409, 504],
  }),
  events({
    id: "query_events_retrieve",
    on: "GET /:id/events",
    statuses: [200, 204],
    operation: "subscription { run: queryStatus { state sequence wire(showsProgress: true) } }",
    event: ({ run }) => ({
      id: String(run.sequence),
      event: run.state.toLowerCase(),
      data: { query_status: run.wire },
      isLast: FINAL_STATES.has(run.state),
    }),
    summary: "Follow a query as server-sent events: its present state first, its final state last.",
    alsoAs: ["text/event-stream"],
  }),
  route({
    id: "query_retrieve",
    on: "GET /:id",
    query: STATUS_QUERY,
    operation: "{ run: queryStatus { state sequence wire(showsProgress: $wakesOnProgress) } }",
    reply: ({ run }, { params }) => {
      // On this path a cancelled run is gone (`docs/contract/queries.md#status-paths`); GraphQL still tells how it
      // ended.
      if (run.state === "CANCELLED") throw new AppError("not_found", { detail: `Query ${params.id} was cancelled.` })
      const headers = { "X-Query-State": run.state.toLowerCase(), "X-Query-Sequence": String(run.sequence) }
      return { status: 200, headers, body: { query_status: run.wire } }
    },
    summary: "Get the status of a query; the header X-Query-State names its state.",
    responseSchema: toObjectSchema({ query_status: ANY_OBJECT }, ["query_status"]),
  }),
  route({
    id: "query_destroy",
    on: "DELETE /:id",
    statuses: [204],
    query: CANCEL_QUERY,
    operation: "mutation { cancelQuery { id } }",
    summary: "Cancel a query.",
  }),
]
