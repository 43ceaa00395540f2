import type { RestRoute } from "../rest-route.types.js"
import { defineBulkRoute } from "./define-bulk-route.js"

const bulk = (path: string, countName: string, summary: string, mutation: string): RestRoute =>
  defineBulkRoute({
    id: `session_recordings_${path}`,
    path: `/api/environments/:project_id/session_recordings/${path}`,
    scope: "session_recording:write",
    operation: `mutation ($projectId: ID!, $ids: [ID!]!) { count: ${mutation} }`,
    countName,
    summary,
    source: "docs/contract/recordings.md#single-recordings",
  })

/** Rows that mark or delete several recordings at once. */
export const recordingBulkRoutes: readonly RestRoute[] = [
  bulk(
    "bulk_delete",
    "deleted_count",
    "Delete 1 to 20 session recordings for good.",
    "deleteSessionRecordings(projectId: $projectId, ids: $ids)",
  ),
  bulk(
    "bulk_viewed",
    "viewed_count",
    "Mark 1 to 20 session recordings as viewed.",
    "markSessionRecordings(projectId: $projectId, ids: $ids, viewed: true)",
  ),
  bulk(
    "bulk_not_viewed",
    "not_viewed_count",
    "Take the mark of 1 to 20 session recordings away.",
    "markSessionRecordings(projectId: $projectId, ids: $ids, viewed: false)",
  ),
]
