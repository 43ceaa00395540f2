import { STATUS_CODES } from "node:http"
import type { JsonSchema } from "../../kernel/json-schema.js"
import { TEXT } from "../../kernel/json-schema.js"
import type { RestRoute } from "./rest-route.types.js"
import { ERROR } from "./schemas.js"

const PARAMETER = /:([a-z_]+)/g
/** Faults that any management path may answer with; the body is always `Error`. */
const FAULT_STATUSES = [400, 401, 403, 404, 405, 406, 413, 415, 429, 500, 503]

/**
 * Makes the OpenAPI 3.1 document of a route table, as a plain value that is ready for JSON. Only the contract's way to
 * write a path is listed, not its `/api/projects/` alias.
 */
export function toOpenApi(routes: readonly RestRoute[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    if (route.method === "OPTIONS" || route.method === "HEAD") continue
    const path = `${route.path.replaceAll(PARAMETER, "{$1}")}/`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Waymark",
      version,
      description: "REST paths of Waymark. The same data, and more, is at /graphql.",
    },
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: {
        personalApiKey: { type: "http", scheme: "bearer", description: "Personal API key, `phx_…`." },
      },
    },
  }
}

function toOperation(route: RestRoute): Record<string, unknown> {
  const { doc } = route
  const isOpen = route.target === "direct"
  return {
    operationId: route.id,
    summary: doc.summary,
    tags: [toTag(route)],
    security: isOpen ? [] : [{ personalApiKey: [] }],
    ...(route.scope !== null && { "x-required-scope": route.scope }),
    parameters: [...pathParameters(route.path), ...(doc.query ?? []).map(toQueryParameter)],
    ...(doc.requestSchema === undefined ? {} : { requestBody: toRequestBody(route, doc.requestSchema) }),
    responses: toResponses(route),
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
  [...path.matchAll(PARAMETER)].map(([, name]) => ({ name, in: "path", required: true, schema: TEXT }))

const toQueryParameter = (parameter: object) => ({ in: "query", required: false, ...parameter })

const toContent = (schema: object): Record<string, unknown> => ({ "application/json": { schema } })
const FAULT = toContent({ $ref: "#/components/schemas/Error" })

function toRequestBody(route: RestRoute, schema: JsonSchema): Record<string, unknown> {
  const takesCsv = route.target === "operation" && route.body === "json-or-csv"
  const content = { ...toContent(schema), ...(takesCsv ? { "text/csv": { schema: TEXT } } : {}) }
  return { content, required: Array.isArray(schema.required) && schema.required.length > 0 }
}

function toResponses(route: RestRoute): Record<string, unknown> {
  const own = route.statuses.map((status) => [
    String(status),
    { description: STATUS_CODES[status] ?? "Answer", ...describeContent(route, status) },
  ])
  const possible = [...FAULT_STATUSES, ...(route.doc.faults ?? [])]
  const faults = possible
    .filter((status) => !route.statuses.includes(status))
    .map((status) => [String(status), { description: STATUS_CODES[status] ?? "Fault", content: FAULT }])
  return Object.fromEntries([...own, ...(isTagged(route) ? [NOT_MODIFIED] : []), ...faults])
}

/** The answers to these have an `ETag`, and 304 for whoever has it. */
const isTagged = ({ target, method, statuses }: RestRoute): boolean =>
  target === "operation" && method === "GET" && !statuses.includes(304)

const NOT_MODIFIED = ["304", { description: "Nothing has changed since the answer whose `ETag` was sent." }] as const

/** What a status of the row itself comes with; one that is not a success has a body where the row says so. */
function describeContent({ target, doc }: RestRoute, status: number): { readonly content?: Record<string, unknown> } {
  if (status >= 400) return target === "direct" || doc.faults?.includes(status) ? { content: FAULT } : {}
  if (status >= 300 || status === 204) return {}
  const others = (doc.alsoAs ?? []).map((mediaType) => [mediaType, { schema: TEXT }])
  const json = doc.responseSchema === undefined ? {} : toContent(complete(doc.responseSchema))
  const content = { ...json, ...Object.fromEntries(others) }
  return Object.keys(content).length === 0 ? {} : { content }
}

/** Makes every property required that an object names, at every depth. */
function complete(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, required } = schema
  return {
    ...schema,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, complete(inner as JsonSchema)]),
      ),
      required: required ?? Object.keys(properties),
    }),
    ...(isSchema(items) && { items: complete(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one: JsonSchema) => complete(one)) }),
  }
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
