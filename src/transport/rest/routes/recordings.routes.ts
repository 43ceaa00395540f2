import { AppError } from "../../../kernel/errors.js"
import { BOOLEAN, TEXT, TIME, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineBody, flag, nullable } from "../body-fields.js"
import { defineItem, defineRoute } from "../define-route.js"
import { readText } from "../read-query.js"
import { RECORDING } from "../resources/recording.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { PAGING_PARAMETERS } from "../schemas.js"
import {
  RECORDING_LIST,
  RECORDING_PAGE_FIELDS,
  type RecordingPage,
  readRecordingWindow,
  toRecordingEnvelope,
} from "./recording-list.js"
import { RECORDINGS_QUERY, readRecordingsQuery } from "./recording-query.js"

const LIST = "/api/environments/:project_id/session_recordings"
const ONE = `${LIST}/:id`
const READ = "session_recording:read"
const WRITE = "session_recording:write"
const SOURCE = "docs/contract/recordings.md#list-of-recordings"
const BLOB_SOURCE = "blob_v2"

const MARKS = defineBody({
  viewed: { schema: BOOLEAN, read: nullable(flag) },
  analyzed: { schema: BOOLEAN, read: nullable(flag) },
})

interface SnapshotsData {
  readonly sources?: readonly { blobKey: string; startTimestamp: string; endTimestamp: string }[]
  readonly lines?: readonly string[]
}

/** Without `source` the stretches are listed; with it, some are fetched, one of them by `blob_key`. */
function toSnapshotsVariables({ query }: RestRequest) {
  const source = readText(query, "source")
  if (source !== undefined && source !== BLOB_SOURCE)
    throw new AppError("invalid_choice", { attr: "source", detail: `source must be ${BLOB_SOURCE}.` })
  const start = readText(query, "start_blob_key") ?? readText(query, "blob_key")
  const end = readText(query, "end_blob_key") ?? start
  if (source !== undefined && (start === undefined || end === undefined))
    throw new AppError("required", { attr: "start_blob_key" })
  return { hasSource: source !== undefined, start: start ?? "0", end: end ?? "0" }
}

function toSnapshotsReply({ sources, lines }: SnapshotsData) {
  if (lines !== undefined)
    return { status: 200, headers: { "Content-Type": "application/jsonl" }, body: lines.join("\n") }
  const toWire = ({ blobKey, startTimestamp, endTimestamp }: NonNullable<typeof sources>[number]) => ({
    source: BLOB_SOURCE,
    start_timestamp: startTimestamp,
    end_timestamp: endTimestamp,
    blob_key: blobKey,
  })
  return { status: 200, body: { sources: sources?.map(toWire) ?? [] } }
}

/**
 * Rows of `docs/contract/recordings.md#list-of-recordings`, and what players and lists of released clients ask besides.
 */
export const recordingRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "session_recordings_list",
    method: "GET",
    path: LIST,
    scope: READ,
    operation: `query ($projectId: ID!, $first: Int, $offset: Int, $recordingsQuery: JSON) {
      page: sessionRecordings(projectId: $projectId, first: $first, offset: $offset, recordingsQuery: $recordingsQuery) {
        ${RECORDING_PAGE_FIELDS} } }`,
    variables: ({ query }) => ({
      ...readRecordingWindow(query).variables,
      recordingsQuery: readRecordingsQuery(query),
    }),
    reply: ({ page }: { page: RecordingPage }, request) => ({ status: 200, body: toRecordingEnvelope(request, page) }),
    doc: {
      summary: "List session recordings, newest first.",
      source: SOURCE,
      query: [...PAGING_PARAMETERS, ...RECORDINGS_QUERY],
      responseSchema: RECORDING_LIST,
    },
  }),
  defineItem({
    id: "session_recordings_retrieve",
    method: "GET",
    path: ONE,
    scope: READ,
    field: "sessionRecording",
    args: { projectId: "ID!", id: "ID!" },
    resource: RECORDING,
    doc: { summary: "Get a session recording.", source: SOURCE },
  }),
  defineRoute({
    id: "session_recordings_update",
    method: "PATCH",
    path: ONE,
    scope: WRITE,
    body: "json",
    operation: `mutation ($projectId: ID!, $id: ID!, $viewed: Boolean, $analyzed: Boolean) {
      markSessionRecording(projectId: $projectId, id: $id, viewed: $viewed, analyzed: $analyzed) { id } }`,
    variables: ({ body }) => MARKS.read(body),
    reply: () => ({ status: 200, body: { success: true } }),
    doc: {
      summary: "Mark a session recording as viewed.",
      source: "docs/contract/recordings.md#single-recordings",
      requestSchema: MARKS.schema,
      responseSchema: toObjectSchema({ success: BOOLEAN }),
    },
  }),
  defineRoute({
    id: "session_recordings_destroy",
    method: "DELETE",
    path: ONE,
    scope: WRITE,
    operation: "mutation ($projectId: ID!, $id: ID!) { deleteSessionRecording(projectId: $projectId, id: $id) }",
    statuses: [204],
    doc: { summary: "Delete a session recording for good.", source: "docs/contract/recordings.md#single-recordings" },
  }),
  defineRoute({
    id: "session_recordings_snapshots_list",
    method: "GET",
    path: `${ONE}/snapshots`,
    scope: READ,
    operation: `query ($projectId: ID!, $id: ID!, $hasSource: Boolean!, $start: String!, $end: String!) {
      sources: sessionRecordingSnapshotSources(projectId: $projectId, id: $id) @skip(if: $hasSource) {
        blobKey startTimestamp endTimestamp }
      lines: sessionRecordingSnapshots(projectId: $projectId, id: $id, startBlobKey: $start, endBlobKey: $end)
        @include(if: $hasSource) }`,
    variables: toSnapshotsVariables,
    reply: toSnapshotsReply,
    doc: {
      summary:
        "List the stretches of a recording or, with `source`, get some as lines of JSON `[window id, rrweb event]`.",
      source: "docs/contract/recordings.md#single-recordings",
      query: [
        { name: "source", description: `${BLOB_SOURCE} to get items.`, schema: TEXT },
        { name: "start_blob_key", description: "First stretch.", schema: TEXT },
        { name: "end_blob_key", description: "Last stretch; at most 20 at once.", schema: TEXT },
      ],
      responseSchema: toObjectSchema({
        sources: {
          type: "array",
          items: toObjectSchema({ source: TEXT, start_timestamp: TIME, end_timestamp: TIME, blob_key: TEXT }),
        },
      }),
      alsoAs: ["application/jsonl"],
    },
  }),
]
