import type { Method, RouteDoc } from "../../kernel/direct-route.types.js"
import type { JsonObject } from "../../kernel/json.js"
import { BOOLEAN, toObjectSchema } from "../../kernel/json-schema.js"
import type { Reply } from "../../kernel/reply.js"
import { type BodyShape, toCamelCase } from "./body-fields.js"
import type { RowOperations } from "./generated/row-operations.js"
import { listFieldNames } from "./ignored-fields.js"
import { toEnvelope } from "./paging-links.js"
import { joinQueries, PAGING, type QueryShape } from "./query-parameters.js"
import { readWindow } from "./read-query.js"
import type { Resource } from "./resources/resource.js"
import type {
  DownloadRoute,
  EventsRoute,
  GuardedRoute,
  OperationRoute,
  RestRequest,
  RestRoute,
  RouteHead,
} from "./rest-route.types.js"
import { toListSchema } from "./schemas.js"

/** What the rows about one kind of thing share. */
export interface RowsOfOneKind {
  /** How all their paths begin. */
  readonly path: string
  /** An object such as `cohort`, which GET reads and every other method writes; or one scope of all rows. */
  readonly scope: string
  /** Page and heading of `docs/contract`. */
  readonly source: string
}

/** What every row says of itself. */
interface Head extends Omit<RouteDoc, "source" | "query">, Partial<Pick<RouteHead, "alsoAt" | "statuses">> {
  readonly id: string
  /** Its method, and its path below that of the others: `PATCH /:id`. */
  readonly on: Method | `${Method} /${string}`
  /** Where they differ from those of the other rows. */
  readonly scope?: string | null
  readonly source?: string
  /** The documented query parameters; lists have those of paging besides. */
  readonly query?: QueryShape
  readonly body?: BodyShape<object>
}

/** A row that runs an operation. */
interface OperationRow extends Head {
  /** How a body may be written; as JSON where a row has one. */
  readonly takes?: OperationRoute["body"]
  /** Those besides the parameters of the path, over which they win; those of query and body when absent. */
  readonly variables?: (request: RestRequest) => object
}

/** Variables of the operation of a row, those that its path has among them; made by `npm run schema`. */
type VariablesOf<Id extends keyof RowOperations> = Partial<RowOperations[Id]["variables"]>
/** What the operation of a row answers. */
export type DataOf<Id extends keyof RowOperations> = RowOperations[Id]["data"]

/** Nothing beside what is wanted; what a reader gives by names of its own is not known here. */
type NothingElse<Given, Wanted> = string extends keyof Given
  ? unknown
  : { readonly [Name in Exclude<keyof Given, keyof Wanted>]: never }

/** A row whose variables have the types of its operation. */
interface TypedRow<Id extends keyof RowOperations, Given extends VariablesOf<Id>> extends OperationRow {
  readonly id: Id
  readonly variables?: (request: RestRequest) => Given & NothingElse<Given, VariablesOf<Id>>
}

/** A row that answers a resource, or a list of them: the value of one GraphQL field. */
interface ResourceRow<Id extends keyof RowOperations, Given extends VariablesOf<Id>> extends TypedRow<Id, Given> {
  readonly field: string
  readonly resource: Resource
}

/** A row that answers what it likes. */
interface FreeRow<Id extends keyof RowOperations, Given extends VariablesOf<Id>> extends TypedRow<Id, Given> {
  /** GraphQL; see `createOperationExecutor` for the arguments of its fields. */
  readonly operation: string
  /** Absent for a row that answers its one status without a body. */
  readonly reply?: (data: DataOf<Id>, request: RestRequest) => Reply
}

/** A row as it stands behind every way to write it. */
type AnyRow = OperationRow & Pick<OperationRoute, "operation"> & Partial<Pick<OperationRoute<never>, "reply">>

/** What a row answers that has nothing else to say. */
export const succeeded = (status = 200) => ({
  statuses: [status],
  reply: (): Reply => ({ status, body: { success: true } }),
  responseSchema: toObjectSchema({ success: BOOLEAN }),
})

/** Answers what makes such rows. Parameters of a path are variables by their names: `:short_id` is `shortId`. */
export function defineRoutes(shared: RowsOfOneKind) {
  const toHead = (row: Head): RouteHead => {
    const { id, on, alsoAt = [], statuses = [200], query, body, scope = toScope(row), source = shared.source } = row
    const { summary, requestSchema = body?.schema, example, responseSchema, alsoAs, faults } = row
    const [method, below = ""] = on.split(" ")
    const doc = { summary, source, query: query?.docs, requestSchema, example, responseSchema, alsoAs, faults }
    return { id, method: method as Method, path: shared.path + below, alsoAt, scope, statuses, doc }
  }
  const toScope = ({ on }: Head): string =>
    shared.scope.includes(":") ? shared.scope : `${shared.scope}:${on.startsWith("GET") ? "read" : "write"}`

  function toRoute({ operation, reply, takes, ...row }: AnyRow): OperationRoute {
    const head = toHead(row)
    const body = takes ?? (row.body === undefined ? "none" : "json")
    const bodyFields = listBodyFields(row)
    const route = { ...head, target: "operation", body, bodyFields, operation, variables: toVariables(row) }
    return { reply: () => ({ status: head.statuses[0] }), ...route, ...(reply && { reply }) } as OperationRoute
  }

  return {
    /** A row that answers what it likes. */
    route: <const Id extends keyof RowOperations, Given extends VariablesOf<Id> = VariablesOf<Id>>(
      row: FreeRow<Id, Given>,
    ): RestRoute => toRoute(row),

    /** A row that reads, makes or changes one object, and answers it with the first of its statuses. */
    item: <const Id extends keyof RowOperations, Given extends VariablesOf<Id> = VariablesOf<Id>>({
      field,
      resource,
      ...row
    }: ResourceRow<Id, Given>): RestRoute =>
      toRoute({
        responseSchema: resource.schema,
        ...row,
        operation: `${row.on.startsWith("GET") ? "query" : "mutation"} { item: ${field} { ${resource.selection} } }`,
        reply: ({ item }: { item: JsonObject }) => ({ status: row.statuses?.[0] ?? 200, body: resource.show(item) }),
      }),

    /** A GET of a list, paged, in the envelope of every list. `show` shows an item otherwise than the resource does. */
    list: <const Id extends keyof RowOperations, Given extends VariablesOf<Id> = VariablesOf<Id>>({
      field,
      resource,
      show = resource.show,
      variables,
      ...row
    }: ResourceRow<Id, Given> & {
      readonly show?: (item: JsonObject, request: RestRequest) => JsonObject
    }): RestRoute =>
      toRoute({
        responseSchema: toListSchema(resource.schema),
        ...row,
        query: joinQueries(PAGING, ...(row.query ? [row.query] : [])),
        operation: `{ page: ${field} { totalCount nodes { ${resource.selection} } } }`,
        ...(variables && { variables: (request) => ({ ...PAGING.read(request), ...variables(request) }) }),
        reply: ({ page }: { page: { totalCount: number; nodes: JsonObject[] } }, request) => {
          const items = page.nodes.map((item) => show(item, request))
          return { status: 200, body: toEnvelope(request, readWindow(request.query), page.totalCount, items) }
        },
      }),

    /** A row of server-sent events. */
    events: <const Id extends keyof RowOperations, Given extends VariablesOf<Id> = VariablesOf<Id>>({
      operation,
      event,
      ...row
    }: FreeRow<Id, Given> & Pick<EventsRoute<DataOf<Id>>, "event">): RestRoute =>
      ({ ...toHead(row), target: "events", operation, event, variables: toVariables(row) }) as EventsRoute,

    /** A row whose answer is bytes that a use case makes. */
    download: ({ download, ...row }: OperationRow & Pick<DownloadRoute, "download">): RestRoute => ({
      ...toHead(row),
      target: "download",
      download,
      bodyFields: listBodyFields(row),
      variables: toVariables(row),
    }),

    /** A row that checks the scope and answers the same to everybody. */
    guarded: ({ reply, ...row }: Head & Pick<GuardedRoute, "reply">): RestRoute => ({
      ...toHead(row),
      target: "guarded",
      reply,
    }),

    /** A row that refuses every key. */
    refused: (row: Head): RestRoute => ({
      ...toHead({ scope: null, statuses: [403], faults: [403], ...row }),
      target: "refused",
    }),

    /** A DELETE that is refused, because things of this kind are deleted softly by PATCH. */
    softDelete: (id: string, on: Head["on"], things: string): RestRoute => {
      const summary = `Refused: ${things} are deleted softly, by PATCH with \`deleted\` true.`
      return { ...toHead({ id, on, statuses: [405], summary }), target: "guarded", reply: () => ({ status: 405 }) }
    },
  }
}

const listBodyFields = ({ body, requestSchema }: OperationRow): string[] => listFieldNames(body?.schema, requestSchema)

const toVariables =
  ({ query, body, variables }: OperationRow) =>
  (request: RestRequest): Record<string, unknown> => ({
    ...Object.fromEntries(Object.entries(request.params).map(([name, value]) => [toCamelCase(name), value])),
    ...(variables?.(request) ?? { ...query?.read(request), ...body?.read(request.body) }),
  })

/** The GraphQL texts of a table, to be checked against the schema when the app is put together. */
export const listOperations = (routes: readonly RestRoute[]): string[] =>
  routes.flatMap((row) => (row.target === "operation" || row.target === "events" ? [row.operation] : []))
