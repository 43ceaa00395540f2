import { defineRoute } from "../define-route.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { BOOLEAN, INTEGER, objectOf } from "../schemas.js"
import { BULK_REQUEST, toRecordingIds } from "./recording-bulk.routes.js"

const ONE = "/api/environments/:project_id/session_recording_playlists/:short_id"
const READ = "session_recording_playlist:read"
const WRITE = "session_recording_playlist:write"
const SOURCE = "reference/management.md 3"

const toVariables = (request: RestRequest) => ({
  projectId: request.params.project_id,
  shortId: request.params.short_id,
  ids: toRecordingIds(request),
})

/** Attaches or detaches several recordings and answers how many were changed, under the name that clients know. */
function defineBulk(path: string, countName: string, summary: string, mutation: string): RestRoute {
  return defineRoute({
    id: `session_recording_playlists_recordings_${path}`,
    method: "POST",
    path: `${ONE}/recordings/${path}`,
    scope: WRITE,
    body: "json",
    operation: `mutation ($projectId: ID!, $shortId: String!, $ids: [ID!]!) {
      count: ${mutation}(projectId: $projectId, shortId: $shortId, sessionRecordingIds: $ids) }`,
    variables: toVariables,
    reply: ({ count }: { count: number }, request) => ({
      status: 200,
      body: { success: true, [countName]: count, total_requested: toRecordingIds(request).length },
    }),
    statuses: [200],
    doc: {
      summary,
      source: SOURCE,
      requestSchema: BULK_REQUEST,
      responseSchema: objectOf({ success: BOOLEAN, [countName]: INTEGER, total_requested: INTEGER }),
    },
  })
}

/** Rows beside those of the contract that clients of playlists call. */
export const playlistBulkRoutes: readonly RestRoute[] = [
  defineBulk("bulk_add", "added_count", "Attach 1 to 20 recordings to a playlist.", "attachSessionRecordings"),
  defineBulk("bulk_delete", "deleted_count", "Detach 1 to 20 recordings from a playlist.", "detachSessionRecordings"),
  defineRoute({
    id: "session_recording_playlists_viewed",
    method: "POST",
    path: `${ONE}/playlist_viewed`,
    scope: READ,
    body: "none",
    // Nothing is kept of who looked at a playlist; that there is one is checked.
    operation: `query ($projectId: ID!, $shortId: String!) {
      playlist: sessionRecordingPlaylist(projectId: $projectId, shortId: $shortId) { id } }`,
    variables: ({ params }) => ({ projectId: params.project_id, shortId: params.short_id }),
    reply: () => ({ status: 200, body: { success: true } }),
    statuses: [200],
    doc: {
      summary: "Tell that a playlist was looked at; nothing is kept of it.",
      source: SOURCE,
      responseSchema: objectOf({ success: BOOLEAN }),
    },
  }),
]
