import type { DirectRoute, Method } from "../../kernel/direct-route.types.js"
import type { DirectRow } from "./rest-route.types.js"

/** The rows of hot paths: one for each method, and one for OPTIONS on every path. */
export function toDirectRows(routes: readonly DirectRoute[]): DirectRow[] {
  const byPath = Map.groupBy(routes, ({ path }) => path)
  return [...byPath.values()].flatMap((ofPath) => [
    ...ofPath.flatMap((route) => route.methods.map((method) => toRow(route, method))),
    ...ofPath.slice(0, 1).map((route) => toRow(route, "OPTIONS")),
  ])
}

function toRow(route: DirectRoute, method: Method): DirectRow {
  const { path, statuses } = route
  const { requestSchema, example, ...doc } = route.doc
  return {
    target: "direct",
    id: `${path.replaceAll(/[/:.]+/g, "_").slice(1)}_${method.toLowerCase()}`,
    method,
    path,
    scope: null,
    statuses,
    doc: { ...doc, ...(method === "POST" && requestSchema !== undefined && { requestSchema, example }) },
    route,
  }
}
