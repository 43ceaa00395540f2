import { BOOLEAN, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineRoute } from "../define-route.js"
import type { RestRoute } from "../rest-route.types.js"
import { defineBulkRoute } from "./define-bulk-route.js"

const ONE = "/api/environments/:project_id/session_recording_playlists/:short_id"
const SOURCE = "docs/contract/recordings.md#recordings-of-a-playlist"

const bulk = (path: string, countName: string, summary: string, mutation: string): RestRoute =>
  defineBulkRoute({
    id: `session_recording_playlists_recordings_${path}`,
    path: `${ONE}/recordings/${path}`,
    scope: "session_recording_playlist:write",
    operation: `mutation ($projectId: ID!, $shortId: String!, $ids: [ID!]!) {
      count: ${mutation}(projectId: $projectId, shortId: $shortId, sessionRecordingIds: $ids) }`,
    countName,
    summary,
    source: SOURCE,
  })

/** Rows beside those of the contract that clients of playlists call. */
export const playlistBulkRoutes: readonly RestRoute[] = [
  bulk("bulk_add", "added_count", "Attach 1 to 20 recordings to a playlist.", "attachSessionRecordings"),
  bulk("bulk_delete", "deleted_count", "Detach 1 to 20 recordings from a playlist.", "detachSessionRecordings"),
  defineRoute({
    id: "session_recording_playlists_viewed",
    method: "POST",
    path: `${ONE}/playlist_viewed`,
    scope: "session_recording_playlist:read",
    // Nothing is kept of who looked at a playlist; that there is one is checked.
    operation: `query ($projectId: ID!, $shortId: String!) {
      playlist: sessionRecordingPlaylist(projectId: $projectId, shortId: $shortId) { id } }`,
    reply: () => ({ status: 200, body: { success: true } }),
    doc: {
      summary: "Tell that a playlist was looked at; nothing is kept of it.",
      source: SOURCE,
      responseSchema: toObjectSchema({ success: BOOLEAN }),
    },
  }),
]
