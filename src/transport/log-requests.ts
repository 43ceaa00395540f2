import type { AccessLog } from "../platform/logger/open-access-log.js"
import type { WatchRequest } from "./watch-requests.js"
import { toWebRoute } from "./web-routes.js"

/** Makes what writes a line for every request once its answer has ended, or its client has left. */
export function logRequests(log: AccessLog): WatchRequest {
  return ({ request, response, note }, handle) => {
    const { socket, method = "", url = "" } = request
    const startedAtMs = performance.now()
    const bytesBefore = socket.bytesWritten
    response.once("close", () =>
      log.write({
        time: new Date().toISOString(),
        method,
        route: note.route ?? toWebRoute(url),
        status: response.headersSent ? response.statusCode : null,
        ms: Math.round((performance.now() - startedAtMs) * 10) / 10,
        bytes: socket.bytesWritten - bytesBefore,
        project: note.projectId,
      }),
    )
    handle()
  }
}
