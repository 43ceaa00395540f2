import { ANY_OBJECT } from "../../../kernel/json-schema.js"
import { defineRoutes, succeeded } from "../define-route.js"
import { activityAs } from "../resources/activity-entry.js"
import type { RestRoute } from "../rest-route.types.js"
import { bulk } from "./bulk-row.js"
import { PLAYLISTS } from "./collections.js"
import { RECORDING_PAGING, recordingList } from "./recording-list.js"

const { list, route } = defineRoutes({
  ...PLAYLISTS,
  path: `${PLAYLISTS.path}/:short_id`,
  source: "docs/contract/recordings.md#recordings-of-a-playlist",
})

/** Rows about one playlist and what is in it: those of the contract, and those beside them that clients call. */
export const playlistRecordingRoutes: readonly RestRoute[] = [
  route({
    ...recordingList("sessionRecordingPlaylistRecordings"),
    id: "session_recording_playlists_recordings_list",
    on: "GET /recordings",
    query: RECORDING_PAGING,
    summary: "List the recordings of a playlist, newest attachment first.",
  }),
  route({
    ...succeeded(),
    id: "session_recording_playlists_recordings_create",
    on: "POST /recordings/:session_recording_id",
    // The contract has a body of playlist fields here; nothing of it is used.
    takes: "json",
    operation: "mutation { attachSessionRecording }",
    summary: "Attach a recording to a playlist; may be repeated.",
    requestSchema: ANY_OBJECT,
  }),
  route({
    id: "session_recording_playlists_recordings_destroy",
    on: "DELETE /recordings/:session_recording_id",
    statuses: [204],
    operation: "mutation { detachSessionRecording }",
    summary: "Detach a recording from a playlist; may be repeated.",
  }),
  route({
    ...bulk("sessionRecordingIds", "added_count"),
    id: "session_recording_playlists_recordings_bulk_add",
    on: "POST /recordings/bulk_add",
    operation: "mutation { count: attachSessionRecordings }",
    summary: "Attach 1 to 20 recordings to a playlist.",
  }),
  route({
    ...bulk("sessionRecordingIds", "deleted_count"),
    id: "session_recording_playlists_recordings_bulk_delete",
    on: "POST /recordings/bulk_delete",
    operation: "mutation { count: detachSessionRecordings }",
    summary: "Detach 1 to 20 recordings from a playlist.",
  }),
  route({
    ...succeeded(),
    id: "session_recording_playlists_viewed",
    on: "POST /playlist_viewed",
    scope: "session_recording_playlist:read",
    // Nothing is kept of who looked at a playlist; that there is one is checked.
    operation: "{ playlist: sessionRecordingPlaylist { id } }",
    summary: "Tell that a playlist was looked at; nothing is kept of it.",
  }),
  list({
    ...activityAs("SessionRecordingPlaylist", "short_id"),
    id: "session_recording_playlists_activity_retrieve",
    on: "GET /activity",
    field: "sessionRecordingPlaylistActivity",
    summary: "Who made and changed a playlist and how, newest first; of deleted ones too.",
    source: "docs/contract/management.md#audit-log",
  }),
]
