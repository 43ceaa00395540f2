import type { Json } from "../../../kernel/json.js"
import { defineRoute } from "../define-route.js"
import { toEnvelope } from "../paging-links.js"
import { readWindow } from "../read-query.js"
import type { RestRoute } from "../rest-route.types.js"
import { ANY_OBJECT, envelopeOf, objectOf, PAGING_PARAMETERS, TEXT, TIME, USER } from "../schemas.js"
import { toWireUser, USER_FIELDS, type UserData } from "../user.wire.js"

interface Activity {
  readonly activity: string
  readonly changes: Json
  readonly createdAt: string
  readonly user: UserData | null
}

/** What became of one playlist. */
export const playlistActivityRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "session_recording_playlists_activity_retrieve",
    method: "GET",
    path: "/api/environments/:project_id/session_recording_playlists/:short_id/activity",
    scope: "session_recording_playlist:read",
    body: "none",
    operation: `query ($projectId: ID!, $shortId: String!, $first: Int, $offset: Int) {
      page: sessionRecordingPlaylistActivity(projectId: $projectId, shortId: $shortId, first: $first, offset: $offset) {
        totalCount nodes { activity changes createdAt user { ${USER_FIELDS} } } } }`,
    variables: ({ params, query }) => ({
      projectId: params.project_id,
      shortId: params.short_id,
      ...readWindow(query).variables,
    }),
    reply: ({ page }: { page: { totalCount: number; nodes: Activity[] } }, request) => ({
      status: 200,
      body: toEnvelope(
        request,
        readWindow(request.query),
        page.totalCount,
        page.nodes.map(({ activity, changes, createdAt, user }) => ({
          activity,
          scope: "SessionRecordingPlaylist",
          item_id: request.params.short_id,
          detail: { changes },
          created_at: createdAt,
          user: toWireUser(user),
        })),
      ),
    }),
    statuses: [200],
    doc: {
      summary: "Who made and changed a playlist and how, newest first; of deleted ones too.",
      source: "reference/management.md 3",
      query: PAGING_PARAMETERS,
      responseSchema: envelopeOf(
        objectOf({ activity: TEXT, scope: TEXT, item_id: TEXT, detail: ANY_OBJECT, created_at: TIME, user: USER }),
      ),
    },
  }),
]
