import type { IncomingMessage, ServerResponse } from "node:http"
import { type RequestNote, withNote } from "../kernel/request-note.js"
import type { AccessLog } from "../platform/logger/open-access-log.js"
import { toWebRoute } from "./web-routes.js"

/** Stands around the handling of every request. */
export type AroundRequest = (request: IncomingMessage, response: ServerResponse, handle: () => void) => void

/** Makes what writes a line for every request once its answer has ended, or its client has left. */
export function logRequests(log: AccessLog): AroundRequest {
  return (request, response, handle) => {
    const { socket, method = "", url = "" } = request
    const startedAtMs = performance.now()
    const bytesBefore = socket.bytesWritten
    const note: RequestNote = { route: null, projectId: null }
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
    withNote(note, handle)
  }
}
