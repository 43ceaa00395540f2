import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestToLog } from "./logged-requests.js"

/** Requests of one project that are committed together. */
export interface LogRow<Request> {
  readonly projectId: ProjectId
  /** In the order in which they came. */
  readonly requests: readonly Request[]
}

/** A row ends with the request that reaches either of these: ingestion works on whole rows. */
const MAX_ROW_REQUESTS = 500
const MAX_ROW_BYTES = 256 * 1024

/** Puts the requests of each project into as few rows as their bounds allow. */
export function gatherRows<Request extends RequestToLog & { readonly projectId: ProjectId }>(
  requests: readonly Request[],
): LogRow<Request>[] {
  const rows: { readonly projectId: ProjectId; readonly requests: Request[] }[] = []
  const open = new Map<ProjectId, { readonly requests: Request[]; bytes: number }>()
  for (const request of requests) {
    const { projectId, textBytes } = request
    let row = open.get(projectId)
    if (row === undefined || row.requests.length >= MAX_ROW_REQUESTS || row.bytes >= MAX_ROW_BYTES) {
      row = { requests: [], bytes: 0 }
      open.set(projectId, row)
      rows.push({ projectId, requests: row.requests })
    }
    row.requests.push(request)
    row.bytes += textBytes
  }
  return rows
}
