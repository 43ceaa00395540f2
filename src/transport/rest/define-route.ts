import type { QueryParameterDoc, RouteDoc } from "../../kernel/direct-route.types.js"
import type { JsonObject } from "../../kernel/json.js"
import type { JsonSchema } from "../../kernel/json-schema.js"
import type { Reply } from "../../kernel/reply.js"
import { toCamelCase } from "./body-fields.js"
import { toEnvelope } from "./paging-links.js"
import { readWindow } from "./read-query.js"
import type { Resource } from "./resources/resource.js"
import type {
  DownloadRoute,
  EventsRoute,
  GuardedRoute,
  OperationRoute,
  RefusedRoute,
  RestRequest,
  RestRoute,
} from "./rest-route.types.js"
import { PAGING_PARAMETERS, toListSchema } from "./schemas.js"

/** What most rows are: they take no body and answer 200. */
const DEFAULTS = { body: "none", statuses: [200] } as const
type WithDefaults<Row> = Omit<Row, "target" | keyof typeof DEFAULTS> &
  Partial<Pick<Row, keyof typeof DEFAULTS & keyof Row>>

/** A row of an operation; parameters of its path are variables by their names, `:short_id` as `shortId`. */
interface OperationRow<Data, Variables extends object>
  extends Omit<WithDefaults<OperationRoute<Data, Variables>>, "variables" | "reply"> {
  /** Those besides the parameters of the path; they win over them. */
  readonly variables?: (request: RestRequest) => Variables
  /** Absent for a row that answers its one status without a body. */
  readonly reply?: OperationRoute<Data>["reply"]
}

/** Checks one row's data and variables against each other, then forgets them, so that rows fit one list. */
export function defineRoute<Data, Variables extends object>({
  variables,
  ...row
}: OperationRow<Data, Variables>): RestRoute {
  const [status = DEFAULTS.statuses[0]] = row.statuses ?? []
  const reply = (): Reply => ({ status })
  return { reply, ...DEFAULTS, ...row, target: "operation", variables: withPath(variables) } as OperationRoute
}

const withPath =
  (variables?: (request: RestRequest) => object) =>
  (request: RestRequest): Record<string, unknown> => ({
    ...Object.fromEntries(Object.entries(request.params).map(([name, value]) => [toCamelCase(name), value])),
    ...variables?.(request),
  })

/** The GraphQL field that a row asks for. */
interface AskedField {
  readonly field: string
  /** GraphQL types of its arguments by their names, which are those of the variables. */
  readonly args?: Readonly<Record<string, string>>
  readonly resource: Resource
  /** Those besides the parameters of the path. */
  readonly variables?: (request: RestRequest) => Readonly<Record<string, unknown>>
}

/** A row that answers one page of a list. */
interface ListRow
  extends AskedField,
    Pick<OperationRoute, "id" | "path" | "alsoAt" | "scope">,
    Pick<RouteDoc, "summary" | "source"> {
  /** Query parameters besides those of paging. */
  readonly query?: readonly QueryParameterDoc[]
  /** How an item is shown; as the resource shows it when absent. */
  readonly show?: (item: JsonObject, request: RestRequest) => JsonObject
}

/** A GET of a list, paged, in the envelope of every list. */
export function defineList(row: ListRow): RestRoute {
  const { id, path, alsoAt, scope, field, args = {}, resource, variables, summary, source, query = [] } = row
  const show = row.show ?? resource.show
  return defineRoute({
    id,
    method: "GET",
    path,
    ...(alsoAt && { alsoAt }),
    scope,
    operation: toOperation(
      "query",
      `page: ${field}`,
      { ...args, first: "Int", offset: "Int" },
      toPageSelection(resource),
    ),
    variables: (request) => ({ ...variables?.(request), ...readWindow(request.query).variables }),
    reply: ({ page }: { page: { totalCount: number; nodes: JsonObject[] } }, request) => ({
      status: 200,
      body: toEnvelope(
        request,
        readWindow(request.query),
        page.totalCount,
        page.nodes.map((item) => show(item, request)),
      ),
    }),
    doc: { summary, source, query: [...PAGING_PARAMETERS, ...query], responseSchema: toListSchema(resource.schema) },
  })
}

const toPageSelection = ({ selection }: Resource): string => `totalCount nodes { ${selection} }`

/** A row that answers one object. */
interface ItemRow extends AskedField, Pick<OperationRoute, "id" | "method" | "path" | "alsoAt" | "scope"> {
  /** None when absent. */
  readonly body?: OperationRoute["body"]
  /** Of success; 200 when absent. */
  readonly status?: number
  readonly doc: Omit<RouteDoc, "responseSchema"> & { readonly responseSchema?: JsonSchema }
}

/** A row that reads, makes or changes one object, and answers it. */
export function defineItem({ field, args = {}, resource, status = 200, doc, ...row }: ItemRow): RestRoute {
  return defineRoute({
    ...row,
    operation: toOperation(row.method === "GET" ? "query" : "mutation", `item: ${field}`, args, resource.selection),
    reply: ({ item }: { item: JsonObject }) => ({ status, body: resource.show(item) }),
    statuses: [status],
    doc: { responseSchema: resource.schema, ...doc },
  })
}

/**
 * The text of an operation that asks for one field.
 * @param args types by the names of the arguments.
 * @param selection empty for a field that is no object.
 */
export function toOperation(
  kind: "query" | "mutation",
  field: string,
  args: Readonly<Record<string, string>>,
  selection: string,
): string {
  const names = Object.keys(args)
  const declared = names.length === 0 ? "" : `(${names.map((name) => `$${name}: ${args[name]}`).join(", ")})`
  const passed = names.length === 0 ? "" : `(${names.map((name) => `${name}: $${name}`).join(", ")})`
  return `${kind} ${declared} { ${field}${passed} ${selection === "" ? "" : `{ ${selection} }`} }`
}

/** A row of server-sent events; data and variables are checked as in `defineRoute`. */
export function defineEvents<Data>(row: Omit<EventsRoute<Data>, "target" | "variables">): RestRoute {
  return { ...row, target: "events", variables: withPath() } as EventsRoute
}

/** A row whose answer is bytes that a use case makes. */
export const defineDownload = (row: WithDefaults<DownloadRoute>): RestRoute => ({
  ...DEFAULTS,
  ...row,
  target: "download",
})

/** A row that checks the scope and answers the same to everybody. */
export const defineGuarded = (row: WithDefaults<GuardedRoute>): RestRoute => ({
  ...DEFAULTS,
  ...row,
  target: "guarded",
})

/** A DELETE that is refused, because things of this kind are deleted softly by PATCH. */
export const defineSoftDelete = (
  row: Pick<GuardedRoute, "id" | "path" | "scope"> & { readonly what: string; readonly source: string },
): RestRoute => {
  const { what, source, ...guarded } = row
  const summary = `Refused: ${what} are deleted softly, by PATCH with \`deleted\` true.`
  return defineGuarded({
    ...guarded,
    method: "DELETE",
    reply: () => ({ status: 405 }),
    statuses: [405],
    doc: { summary, source },
  })
}

/** A row that refuses every key. */
export const defineRefused = (row: Pick<RefusedRoute, "id" | "method" | "path" | "doc">): RestRoute => ({
  ...row,
  target: "refused",
  statuses: [403],
  doc: { faults: [403], ...row.doc },
})

/** The GraphQL texts of a table, to be checked against the schema when the app is put together. */
export const listOperations = (routes: readonly RestRoute[]): string[] =>
  routes.flatMap((row) => (row.target === "operation" || row.target === "events" ? [row.operation] : []))
