import { defineUnbuilt } from "../define-route.js"
import type { RestRoute } from "../rest-route.types.js"

const LIST = "/api/environments/:project_id/session_recordings"
const SCOPE = "session_recording:read"
const SOURCE = "interface.md, Session recordings"

/** Rows of `interface.md`, "Session recordings". */
export const recordingRoutes: readonly RestRoute[] = [
  defineUnbuilt({
    id: "session_recordings_list",
    method: "GET",
    path: LIST,
    scope: SCOPE,
    doc: { summary: "List session recordings.", source: SOURCE },
  }),
  defineUnbuilt({
    id: "session_recordings_retrieve",
    method: "GET",
    path: `${LIST}/:id`,
    scope: SCOPE,
    doc: { summary: "Get a session recording.", source: SOURCE },
  }),
]
