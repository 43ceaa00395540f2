import { type OperationDefinitionNode, parse } from "graphql"
import type { DirectRow, RefusedRoute, RestRoute } from "../../../src/transport/rest/rest-route.types.js"
import { restRoutes } from "../../../src/transport/rest/routes/index.js"
import { scopesByOperation } from "../operation-scopes.js"
import type { WaymarkApi } from "../waymark-api.js"
import { PROJECT_KEY } from "../waymark-process.js"
import { sampleOf } from "./json-schema-sample.js"
import { type MatrixRow, type Outcome, toOutcome } from "./matrix-row.js"
import { idFor, type RecordIds, UNKNOWN_IDS } from "./planted-records.js"

type ManagementRoute = Exclude<RestRoute, DirectRow | RefusedRoute>

const managementRoutes = restRoutes.filter(
  (route): route is ManagementRoute => route.target !== "direct" && route.target !== "refused",
)

/** A row of the matrix for every management row of the route table. */
export const restRows: readonly MatrixRow[] = managementRoutes.map((route) => ({
  name: `${route.method} ${route.path}`,
  scope: route.scope,
  ...guardOf(route),
  isWriting: route.method !== "GET",
  ask: (caller, project, ids) => ask(route, caller, project, ids),
}))

/** A row that refuses every key. */
export interface RefusedRow {
  readonly name: string
  ask(caller: WaymarkApi): Promise<Outcome>
}

/** Every row that refuses all keys. */
export const refusedRows: readonly RefusedRow[] = restRoutes
  .filter((route): route is RefusedRoute => route.target === "refused")
  .map((route) => ({
    name: `${route.method} ${route.path}`,
    ask: async (caller) => toOutcome(await caller.request(route.method, fillPath(route.path, 1, UNKNOWN_IDS))),
  }))

/** What rows say of their scope differently from the operation that they run. */
export const restScopesThatDiffer = managementRoutes.flatMap((route) => {
  const scopes = listOperations(route).map(({ scope }) => scope)
  return scopes.every((scope) => scope === route.scope) ? [] : [{ route: route.id, says: route.scope, runs: scopes }]
})

function guardOf(route: ManagementRoute): Pick<MatrixRow, "isOfProject" | "isOfOrganization" | "isOpenToBoundKeys"> {
  if (route.path.includes(":project_id")) return { isOfProject: true, isOfOrganization: false, isOpenToBoundKeys: true }
  const operations = listOperations(route)
  return {
    isOfProject: operations.some(({ guard }) => guard === "project"),
    isOfOrganization: operations.some(({ guard }) => guard === "organization"),
    isOpenToBoundKeys: operations.every(({ isOpenToBoundKeys }) => isOpenToBoundKeys),
  }
}

/** The root fields that a row's operation asks for. */
function listOperations(route: ManagementRoute) {
  if (route.target !== "operation" && route.target !== "events") return []
  const definition = parse(route.operation).definitions[0] as OperationDefinitionNode
  const type = { query: "Query", mutation: "Mutation", subscription: "Subscription" }[definition.operation]
  return definition.selectionSet.selections.flatMap((field) => {
    const found = field.kind === "Field" ? scopesByOperation().get(`${type}.${field.name.value}`) : undefined
    return found === undefined ? [] : [found]
  })
}

/** Fills in a path: the project and the ids that the segments before them are about. */
export function fillPath(path: string, project: number | string, ids: RecordIds): string {
  const segments = path.split("/")
  const filled = segments.map((segment, index) => {
    if (segment === ":project_id") return String(project)
    return segment.startsWith(":") ? idFor(ids, segments[index - 1] ?? "", segment) : segment
  })
  return `${filled.join("/")}/`
}

async function ask(route: ManagementRoute, caller: WaymarkApi, project: number, ids: RecordIds): Promise<Outcome> {
  const query = new URLSearchParams()
  // Where the project can be named by its public key that key wins over the path.
  if (project === 1 && route.doc.query?.some(({ name }) => name === "token")) query.set("token", PROJECT_KEY)
  const path = `${fillPath(route.path, project, ids)}${query.size > 0 ? `?${query}` : ""}`
  const body =
    route.method === "GET" || route.method === "DELETE" ? undefined : (sampleOf(route.doc.requestSchema) ?? {})
  return toOutcome(await caller.request(route.method, path, body))
}
