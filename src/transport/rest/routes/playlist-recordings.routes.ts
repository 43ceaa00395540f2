import { ANY_OBJECT, BOOLEAN, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineRoute } from "../define-route.js"
import type { RestRoute } from "../rest-route.types.js"
import { PAGING_PARAMETERS } from "../schemas.js"
import {
  RECORDING_LIST,
  RECORDING_PAGE_FIELDS,
  type RecordingPage,
  readRecordingWindow,
  toRecordingEnvelope,
} from "./recording-list.js"

const LIST = "/api/environments/:project_id/session_recording_playlists/:short_id/recordings"
const ONE = `${LIST}/:session_recording_id`
const READ = "session_recording_playlist:read"
const WRITE = "session_recording_playlist:write"
const SOURCE = "docs/contract/recordings.md#recordings-of-a-playlist"

/** Rows of `docs/contract/recordings.md#recordings-of-a-playlist`. */
export const playlistRecordingRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "session_recording_playlists_recordings_list",
    method: "GET",
    path: LIST,
    scope: READ,
    operation: `query ($projectId: ID!, $shortId: String!, $first: Int, $offset: Int) {
      page: sessionRecordingPlaylistRecordings(projectId: $projectId, shortId: $shortId, first: $first, offset: $offset) {
        ${RECORDING_PAGE_FIELDS} } }`,
    variables: ({ query }) => readRecordingWindow(query).variables,
    reply: ({ page }: { page: RecordingPage }, request) => ({ status: 200, body: toRecordingEnvelope(request, page) }),
    doc: {
      summary: "List the recordings of a playlist, newest attachment first.",
      source: SOURCE,
      query: PAGING_PARAMETERS,
      responseSchema: RECORDING_LIST,
    },
  }),
  defineRoute({
    id: "session_recording_playlists_recordings_create",
    method: "POST",
    path: ONE,
    scope: WRITE,
    // The contract has a body of playlist fields here; nothing of it is used.
    body: "json",
    operation: `mutation ($projectId: ID!, $shortId: String!, $sessionRecordingId: ID!) {
      attachSessionRecording(projectId: $projectId, shortId: $shortId, sessionRecordingId: $sessionRecordingId) }`,
    reply: () => ({ status: 200, body: { success: true } }),
    doc: {
      summary: "Attach a recording to a playlist; may be repeated.",
      source: SOURCE,
      requestSchema: ANY_OBJECT,
      responseSchema: toObjectSchema({ success: BOOLEAN }),
    },
  }),
  defineRoute({
    id: "session_recording_playlists_recordings_destroy",
    method: "DELETE",
    path: ONE,
    scope: WRITE,
    operation: `mutation ($projectId: ID!, $shortId: String!, $sessionRecordingId: ID!) {
      detachSessionRecording(projectId: $projectId, shortId: $shortId, sessionRecordingId: $sessionRecordingId) }`,
    statuses: [204],
    doc: { summary: "Detach a recording from a playlist; may be repeated.", source: SOURCE },
  }),
]
