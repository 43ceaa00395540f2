import { AppError } from "../../../kernel/errors.js"
import { BOOLEAN, TEXT, TIME, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineBody, flag, nullable } from "../body-fields.js"
import { type DataOf, defineRoutes, succeeded } from "../define-route.js"
import { joinQueries, type QueryShape } from "../query-parameters.js"
import { readText } from "../read-query.js"
import { RECORDING } from "../resources/recording.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { bulk } from "./bulk-row.js"
import { RECORDINGS } from "./collections.js"
import { RECORDING_PAGING, recordingList } from "./recording-list.js"
import { RECORDINGS_QUERY } from "./recording-query.js"

const SINGLE = "docs/contract/recordings.md#single-recordings"
const BLOB_SOURCE = "blob_v2"

const MARKS = defineBody({
  viewed: { schema: BOOLEAN, read: nullable(flag) },
  analyzed: { schema: BOOLEAN, read: nullable(flag) },
})

const SNAPSHOTS_QUERY: QueryShape = {
  docs: [
    { name: "source", description: `${BLOB_SOURCE} to get items.`, schema: TEXT },
    { name: "start_blob_key", description: "First stretch.", schema: TEXT },
    { name: "end_blob_key", description: "Last stretch; at most 20 at once.", schema: TEXT },
  ],
  read: readSnapshotsQuery,
}

/** Without `source` the stretches are listed; with it, some are fetched, one of them by `blob_key`. */
function readSnapshotsQuery({ query }: RestRequest) {
  const source = readText(query, "source")
  if (source !== undefined && source !== BLOB_SOURCE)
    throw new AppError("invalid_choice", { attr: "source", detail: `source must be ${BLOB_SOURCE}.` })
  const start = readText(query, "start_blob_key") ?? readText(query, "blob_key")
  const end = readText(query, "end_blob_key") ?? start
  if (source !== undefined && (start === undefined || end === undefined))
    throw new AppError("required", { attr: "start_blob_key" })
  return { hasSource: source !== undefined, startBlobKey: start ?? "0", endBlobKey: end ?? "0" }
}

function toSnapshotsReply({ sources, lines }: DataOf<"session_recordings_snapshots_list">) {
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

const { item, route } = defineRoutes(RECORDINGS)

/**
 * Rows of `docs/contract/recordings.md#list-of-recordings`, and what players and lists of released clients ask besides.
 */
export const recordingRoutes: readonly RestRoute[] = [
  route({
    ...recordingList("sessionRecordings"),
    id: "session_recordings_list",
    on: "GET",
    query: joinQueries(RECORDING_PAGING, RECORDINGS_QUERY),
    summary: "List session recordings, newest first.",
  }),
  item({
    id: "session_recordings_retrieve",
    on: "GET /:id",
    field: "sessionRecording",
    resource: RECORDING,
    summary: "Get a session recording.",
  }),
  route({
    ...succeeded(),
    id: "session_recordings_update",
    on: "PATCH /:id",
    body: MARKS,
    operation: "mutation { markSessionRecording { id } }",
    summary: "Mark a session recording as viewed.",
    source: SINGLE,
  }),
  route({
    id: "session_recordings_destroy",
    on: "DELETE /:id",
    statuses: [204],
    operation: "mutation { deleteSessionRecording }",
    summary: "Delete a session recording for good.",
    source: SINGLE,
  }),
  route({
    id: "session_recordings_snapshots_list",
    on: "GET /:id/snapshots",
    query: SNAPSHOTS_QUERY,
    operation: `query ($hasSource: Boolean!) {
      sources: sessionRecordingSnapshotSources @skip(if: $hasSource) { blobKey startTimestamp endTimestamp }
      lines: sessionRecordingSnapshots @include(if: $hasSource) }`,
    reply: toSnapshotsReply,
    summary:
      "List the stretches of a recording or, with `source`, get some as lines of JSON `[window id, rrweb event]`.",
    source: SINGLE,
    responseSchema: toObjectSchema({
      sources: {
        type: "array",
        items: toObjectSchema({ source: TEXT, start_timestamp: TIME, end_timestamp: TIME, blob_key: TEXT }),
      },
    }),
    alsoAs: ["application/jsonl"],
  }),
  route({
    ...bulk("ids", "deleted_count"),
    id: "session_recordings_bulk_delete",
    on: "POST /bulk_delete",
    operation: "mutation { count: deleteSessionRecordings }",
    summary: "Delete 1 to 20 session recordings for good.",
    source: SINGLE,
  }),
  route({
    ...bulk("ids", "viewed_count", { viewed: true }),
    id: "session_recordings_bulk_viewed",
    on: "POST /bulk_viewed",
    operation: "mutation { count: markSessionRecordings }",
    summary: "Mark 1 to 20 session recordings as viewed.",
    source: SINGLE,
  }),
  route({
    ...bulk("ids", "not_viewed_count", { viewed: false }),
    id: "session_recordings_bulk_not_viewed",
    on: "POST /bulk_not_viewed",
    operation: "mutation { count: markSessionRecordings }",
    summary: "Take the mark of 1 to 20 session recordings away.",
    source: SINGLE,
  }),
]
