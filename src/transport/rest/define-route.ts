import type {
  DownloadRoute,
  EventsRoute,
  GuardedRoute,
  Method,
  OperationRoute,
  RestRoute,
  UnbuiltRoute,
} from "./rest-route.types.js"

/** Checks one row's data and variables against each other, then forgets them, so that rows fit one list. */
export function defineRoute<Data, Variables>(row: Omit<OperationRoute<Data, Variables>, "target">): RestRoute {
  return { ...row, target: "operation" } as OperationRoute
}

/** A row of server-sent events; data and variables are checked as in `defineRoute`. */
export function defineEvents<Data, Variables>(row: Omit<EventsRoute<Data, Variables>, "target">): RestRoute {
  return { ...row, target: "events" } as EventsRoute
}

/** A row whose answer is bytes that a use case makes. */
export const defineDownload = (row: Omit<DownloadRoute, "target">): RestRoute => ({ ...row, target: "download" })

/** A row that checks the scope and answers the same to everybody. */
export const defineGuarded = (row: Omit<GuardedRoute, "target">): RestRoute => ({ ...row, target: "guarded" })

/** A documented row without an implementation; `unbuiltRoutes` lists it. */
export const defineUnbuilt = (row: Omit<UnbuiltRoute, "target" | "statuses">): RestRoute => ({
  ...row,
  target: "unbuilt",
  statuses: [501],
})

/** The documented rows that answer 501, for the README and its test. */
export function unbuiltRoutes(routes: readonly RestRoute[]): { readonly method: Method; readonly path: string }[] {
  return routes.filter((row) => row.target === "unbuilt").map(({ method, path }) => ({ method, path }))
}

/** The GraphQL texts of a table, to be checked against the schema when the app is put together. */
export const operationsOf = (routes: readonly RestRoute[]): string[] =>
  routes.flatMap((row) => (row.target === "operation" || row.target === "events" ? [row.operation] : []))
