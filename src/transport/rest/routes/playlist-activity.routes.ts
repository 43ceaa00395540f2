import type { RestRoute } from "../rest-route.types.js"
import { defineActivity } from "./define-activity.js"

/** What became of one playlist. */
export const playlistActivityRoutes: readonly RestRoute[] = [
  defineActivity({
    id: "session_recording_playlists_activity_retrieve",
    path: "/api/environments/:project_id/session_recording_playlists/:short_id/activity",
    scope: "session_recording_playlist:read",
    field: "sessionRecordingPlaylistActivity",
    args: { projectId: "ID!", shortId: "String!" },
    kind: "SessionRecordingPlaylist",
    parameter: "short_id",
    summary: "Who made and changed a playlist and how, newest first; of deleted ones too.",
    source: "docs/contract/management.md#audit-log",
  }),
]
