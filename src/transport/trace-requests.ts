import { beginTrace } from "../kernel/trace.js"
import type { WatchRequest } from "./watch-requests.js"
import { toWebRoute } from "./web-routes.js"

const FIRST_SERVER_ERROR = 500

/**
 * Makes every request the span that a trace begins with here, from its head to the end of its answer: a part of the trace
 * that `traceparent` names, if any. Probes and scrapes come all the time and say nothing, so they have none.
 */
export const traceRequests: WatchRequest = ({ request, response, note }, handle) => {
  const { method = "", url = "", headers } = request
  const webRoute = toWebRoute(url)
  if (webRoute === "health") return handle()
  const attributes = { "http.request.method": method }
  void beginTrace({ name: method, kind: "server", attributes }, headers, (span) => {
    const answered = new Promise<void>((resolve) => {
      response.once("close", () => {
        const route = note.route ?? webRoute
        span.rename(`${method} ${route}`)
        span.describe({ "http.route": route })
        if (note.projectId !== null) span.describe({ "waymark.project_id": note.projectId })
        if (response.headersSent) span.describe({ "http.response.status_code": response.statusCode })
        if (!response.headersSent || response.statusCode >= FIRST_SERVER_ERROR)
          span.fail(response.headersSent ? String(response.statusCode) : "client_left")
        resolve()
      })
    })
    handle()
    return answered
  })
}
