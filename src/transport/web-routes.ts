import type { RequestListener } from "node:http"

/** What the web application serves, by the first part of the path; a closed list, because it labels metrics. */
const ROUTES_BY_FIRST_PART: Readonly<Record<string, string>> = {
  graphql: "graphql",
  _livez: "health",
  _readyz: "health",
  metrics: "health",
  exports: "exports",
  static: "browser_sdk",
  array: "browser_sdk",
  auth: "sign_in",
  assets: "console",
  project: "console",
  api: "api_schema",
}
const OTHER = "web"

/** The name of what answers a path that is in no row of the route table. */
export const toWebRoute = (url: string): string =>
  Object.hasOwn(ROUTES_BY_FIRST_PART, firstPart(url)) ? (ROUTES_BY_FIRST_PART[firstPart(url)] ?? OTHER) : OTHER

/** Tells of every answer of the web application: its route, its status and how long it took. Streams count when they end. */
export const measureWeb =
  (web: RequestListener, onReply: (route: string, status: number, durationMs: number) => void): RequestListener =>
  (request, response) => {
    const startedAtMs = performance.now()
    const route = toWebRoute(request.url ?? "")
    response.once("close", () => {
      if (response.headersSent) onReply(route, response.statusCode, performance.now() - startedAtMs)
    })
    web(request, response)
  }

const firstPart = (url: string): string => /^\/([^/?]*)/.exec(url)?.[1] ?? ""
