import { readFields, texts } from "../body-fields.js"
import { defineRoute } from "../define-route.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { BOOLEAN, INTEGER, objectOf, TEXT } from "../schemas.js"

const LIST = "/api/environments/:project_id/session_recordings"
const WRITE = "session_recording:write"
const SOURCE = "reference/management.md 4.3"
/** A body that names several recordings. */
export const BULK_REQUEST = objectOf(
  { session_recording_ids: { type: "array", items: TEXT, minItems: 1, maxItems: 20 } },
  ["session_recording_ids"],
)

/** Ids of a body that names several recordings; how many may be named the operation says. */
export const toRecordingIds = ({ body }: RestRequest): string[] =>
  readFields(body, { session_recording_ids: ["ids", texts] }).ids ?? []

const toVariables = (request: RestRequest) => ({ projectId: request.params.project_id, ids: toRecordingIds(request) })

/** Answers how many of the named recordings there were, under the name that clients of the path know. */
function defineBulk(path: string, countName: string, summary: string, mutation: string): RestRoute {
  return defineRoute({
    id: `session_recordings_${path}`,
    method: "POST",
    path: `${LIST}/${path}`,
    scope: WRITE,
    body: "json",
    operation: `mutation ($projectId: ID!, $ids: [ID!]!) { count: ${mutation} }`,
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

/** Rows that mark or delete several recordings at once. */
export const recordingBulkRoutes: readonly RestRoute[] = [
  defineBulk(
    "bulk_delete",
    "deleted_count",
    "Delete 1 to 20 session recordings for good.",
    "deleteSessionRecordings(projectId: $projectId, ids: $ids)",
  ),
  defineBulk(
    "bulk_viewed",
    "viewed_count",
    "Mark 1 to 20 session recordings as viewed.",
    "markSessionRecordings(projectId: $projectId, ids: $ids, viewed: true)",
  ),
  defineBulk(
    "bulk_not_viewed",
    "not_viewed_count",
    "Take the mark of 1 to 20 session recordings away.",
    "markSessionRecordings(projectId: $projectId, ids: $ids, viewed: false)",
  ),
]
