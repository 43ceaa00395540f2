import { defineRoute } from "../define-route.js"
import { readWindow } from "../read-query.js"
import type { RestRoute } from "../rest-route.types.js"
import { PAGING_PARAMETERS } from "../schemas.js"
import { ACTIVITIES, ACTIVITY_PAGE_FIELDS, type ActivityPage, toActivityEnvelope } from "./activity.wire.js"

/** What became of one playlist. */
export const playlistActivityRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "session_recording_playlists_activity_retrieve",
    method: "GET",
    path: "/api/environments/:project_id/session_recording_playlists/:short_id/activity",
    scope: "session_recording_playlist:read",
    body: "none",
    operation: `query ($projectId: ID!, $shortId: String!, $first: Int, $offset: Int) {
      page: sessionRecordingPlaylistActivity(projectId: $projectId, shortId: $shortId, first: $first, offset: $offset) { ${ACTIVITY_PAGE_FIELDS} } }`,
    variables: ({ params, query }) => ({
      projectId: params.project_id,
      shortId: params.short_id,
      ...readWindow(query).variables,
    }),
    reply: ({ page }: { page: ActivityPage }, request) => ({
      status: 200,
      body: toActivityEnvelope(request, page, "SessionRecordingPlaylist", request.params.short_id),
    }),
    statuses: [200],
    doc: {
      summary: "Who made and changed a playlist and how, newest first; of deleted ones too.",
      source: "reference/management.md 3",
      query: PAGING_PARAMETERS,
      responseSchema: ACTIVITIES,
    },
  }),
]
