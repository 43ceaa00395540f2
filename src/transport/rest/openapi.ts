import { STATUS_CODES } from "node:http"
import type { JsonSchema } from "../../kernel/json-schema.js"
import { TEXT } from "../../kernel/json-schema.js"
import { type Components, createComponents, type DescribeField, mapSchemas } from "./components.js"
import { IGNORED_FIELDS } from "./ignored-fields.js"
import type { RestRoute } from "./rest-route.types.js"
import { ERROR } from "./schemas.js"

const PARAMETER = /:([a-z_]+)/g
/** Faults that any management path may answer with; the body is always `Error`. */
const FAULT_STATUSES = [400, 401, 403, 404, 405, 406, 413, 415, 429, 500, 503]

/** What stands in a path. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  project_id: "Number of the project, its key (`phc_…`), or `@current`.",
  organization_id: "UUID of the organization, or `@current`.",
  id: "Number or id of the thing.",
  short_id: "Short id of the playlist.",
  session_recording_id: "Id of the session.",
  plugin_config_id: "Number of the plugin's configuration.",
  key_id: "Key of the flag, or its number.",
  flag_key: "Key of the flag.",
  token: "Project key, `phc_…`.",
}

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "`ETag` of an answer that the client has; 304 while nothing has changed.",
  schema: TEXT,
}

const HEADERS = {
  ETag: { description: "Tag of the answer, for `If-None-Match`.", schema: TEXT },
  [IGNORED_FIELDS]: { description: "Fields of the body that counted for nothing, where there are any.", schema: TEXT },
}

/** What the document takes from elsewhere. */
export interface OpenApiSources {
  readonly version: string
  /** The address that clients see; such as `/` where it is not known. */
  readonly server: string
  readonly describe: DescribeField
  /** Schemas that replace those of the same title: what a row cannot know because it is of a feature. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>
}

/**
 * Makes the OpenAPI 3.1 document of a route table, as a plain value that is ready for JSON. Only the contract's way to
 * write a path is listed, not its `/api/projects/` alias.
 */
export function toOpenApi(
  routes: readonly RestRoute[],
  { version, server, describe, schemas }: OpenApiSources,
): Record<string, unknown> {
  const components = createComponents(describe, schemas)
  components.refer(ERROR)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    if (route.method === "OPTIONS" || route.method === "HEAD") continue
    const path = `${route.path.replaceAll(PARAMETER, "{$1}")}/`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, components) }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Waymark",
      version,
      description: "REST paths of Waymark. The same data, and more, is at /graphql.",
    },
    servers: [{ url: server }],
    paths,
    components: {
      schemas: components.schemas,
      headers: HEADERS,
      securitySchemes: {
        personalApiKey: { type: "http", scheme: "bearer", description: "Personal API key, `phx_…`." },
      },
    },
  }
}

function toOperation(route: RestRoute, components: Components): Record<string, unknown> {
  const { doc } = route
  const isOpen = route.target === "direct"
  return {
    operationId: route.id,
    summary: doc.summary,
    tags: [toTag(route)],
    security: isOpen ? [] : [{ personalApiKey: [] }],
    ...(route.scope !== null && { "x-required-scope": route.scope }),
    parameters: [
      ...pathParameters(route.path),
      ...(doc.query ?? []).map(toQueryParameter),
      ...(doc.headers ?? []).map((header) => ({ in: "header", required: true, ...header })),
      ...(isTagged(route) ? [IF_NONE_MATCH] : []),
    ],
    ...(doc.requestSchema === undefined ? {} : { requestBody: toRequestBody(route, doc.requestSchema, components) }),
    responses: toResponses(route, components),
    "x-source": doc.source,
  }
}

/** The collection that a path is about. */
function toTag({ path, target }: RestRoute): string {
  if (target === "direct") return "public"
  const fixed = path.split("/").filter((segment) => segment !== "" && !segment.startsWith(":"))
  return (fixed[1] === "environments" ? fixed[2] : fixed[1]) ?? "api"
}

const pathParameters = (path: string): Record<string, unknown>[] =>
  [...path.matchAll(PARAMETER)].map(([, name = ""]) => {
    const description = PATH_PARAMETERS[name]
    return { name, in: "path", required: true, schema: TEXT, ...(description !== undefined && { description }) }
  })

const toQueryParameter = (parameter: object) => ({ in: "query", required: false, ...parameter })

const toContent = (schema: object): Record<string, unknown> => ({ "application/json": { schema } })
const FAULT = toContent({ $ref: "#/components/schemas/Error" })

function toRequestBody(route: RestRoute, schema: JsonSchema, components: Components): Record<string, unknown> {
  const takesCsv = route.target === "operation" && route.body === "json-or-csv"
  const { example } = route.doc
  const json = { schema: components.refer(schema), ...(example !== undefined && { example }) }
  const content = { "application/json": json, ...(takesCsv ? { "text/csv": { schema: TEXT } } : {}) }
  return { content, required: Array.isArray(schema.required) && schema.required.length > 0 }
}

function toResponses(route: RestRoute, components: Components): Record<string, unknown> {
  const own = route.statuses.map((status) => [
    String(status),
    {
      description: STATUS_CODES[status] ?? "Answer",
      ...describeHeaders(route, status),
      ...describeContent(route, status, components),
    },
  ])
  const possible = [...FAULT_STATUSES, ...(route.doc.faults ?? [])]
  const faults = possible
    .filter((status) => !route.statuses.includes(status))
    .map((status) => [String(status), { description: STATUS_CODES[status] ?? "Fault", content: FAULT }])
  return Object.fromEntries([...own, ...(isTagged(route) ? [NOT_MODIFIED] : []), ...faults])
}

/** The headers of a success that are worth a client's look. */
function describeHeaders(route: RestRoute, status: number): { readonly headers?: Record<string, unknown> } {
  if (status >= 300) return {}
  const takesBody = route.target === "operation" && route.body !== "none"
  const names = [...(isTagged(route) ? ["ETag"] : []), ...(takesBody ? [IGNORED_FIELDS] : [])]
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
}

/** The answers to these have an `ETag`, and 304 for whoever has it. */
const isTagged = ({ target, method, statuses }: RestRoute): boolean =>
  target === "operation" && method === "GET" && !statuses.includes(304)

const NOT_MODIFIED = ["304", { description: "Nothing has changed since the answer whose `ETag` was sent." }] as const

/** What a status of the row itself comes with; one that is not a success has a body where the row says so. */
function describeContent(
  { target, doc }: RestRoute,
  status: number,
  components: Components,
): { readonly content?: Record<string, unknown> } {
  if (status >= 400) return target === "direct" || doc.faults?.includes(status) ? { content: FAULT } : {}
  if (status >= 300 || status === 204) return {}
  const others = (doc.alsoAs ?? []).map((mediaType) => [mediaType, { schema: TEXT }])
  const json = doc.responseSchema === undefined ? {} : toContent(components.refer(complete(doc.responseSchema)))
  const content = { ...json, ...Object.fromEntries(others) }
  return Object.keys(content).length === 0 ? {} : { content }
}

/** Makes every property required that an object names, at every depth. */
function complete(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema
  const isObject = typeof properties === "object" && properties !== null
  return {
    ...schema,
    ...mapSchemas(schema, complete),
    ...(isObject && { required: required ?? Object.keys(properties) }),
  }
}
