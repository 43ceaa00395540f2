import type {
  DownloadRoute,
  EventsRoute,
  GuardedRoute,
  OperationRoute,
  RefusedRoute,
  RestRoute,
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

/** A row that refuses every key. */
export const defineRefused = (row: Pick<RefusedRoute, "id" | "method" | "path" | "doc">): RestRoute => ({
  ...row,
  target: "refused",
  statuses: [403],
  doc: { faults: [403], ...row.doc },
})

/** The GraphQL texts of a table, to be checked against the schema when the app is put together. */
export const operationsOf = (routes: readonly RestRoute[]): string[] =>
  routes.flatMap((row) => (row.target === "operation" || row.target === "events" ? [row.operation] : []))
