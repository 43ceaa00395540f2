import {
  CONTENT_TYPES,
  type createQueriesFeature,
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportTickets,
  MAX_EXPORT_ROWS,
  type OpenExport,
  type QueryExports,
  requireDemandedScopes,
  toQueryRequest,
} from "../features/queries/index.js"
import { AppError, orNotFound } from "../kernel/errors.js"
import type { ProjectId } from "../kernel/ids.js"
import type { OpenDownload } from "../transport/export-downloads.js"
import type { DownloadHandler } from "../transport/rest/run-stream.js"
import type { StreamedReply } from "../transport/wire/streamed-reply.js"

type QueriesService = ReturnType<typeof createQueriesFeature>["service"]
type RawRequest = Parameters<typeof toQueryRequest>[0]

/** What the export row reads from a request. */
export interface ExportVariables {
  readonly input: RawRequest
  readonly format: string
}

/** Joins the export row to its use case. What is known only at the end travels as trailers. */
export function createExportHandler(exports: QueryExports): DownloadHandler<ExportVariables> {
  return async (projectId, { input, format }, { context, signal }) => {
    const request = toQueryRequest(input)
    await requireDemandedScopes(context, projectId, request.query)
    return toReply(projectId, toFormat(format), await exports.open(projectId, request, toFormat(format), signal))
  }
}

/** What the export row of a run reads from a request. */
export interface RunExportVariables {
  readonly id: string
  readonly format: string
}

/** Exports the rows of the query that a known run was about. @throws AppError not_found for an unknown or expired run. */
export function createRunExportHandler(
  exports: QueryExports,
  queries: Pick<QueriesService, "status">,
): DownloadHandler<RunExportVariables> {
  return async (projectId, { id, format }, { context, signal }) => {
    const { request } = await queries.status(projectId, id)
    await requireDemandedScopes(context, projectId, request.query)
    const asked = { ...request, clientQueryId: null }
    return toReply(projectId, toFormat(format), await exports.open(projectId, asked, toFormat(format), signal))
  }
}

/** Exports what a token permits, once. @throws AppError not_found for one that was used, is too old, or never was. */
export function createTicketExportHandler(exports: QueryExports, tickets: Pick<ExportTickets, "redeem">): OpenDownload {
  return async (token, signal) => {
    const { projectId, request, format } = orNotFound(await tickets.redeem(token))
    return toReply(projectId, format, await exports.open(projectId, request, format, signal))
  }
}

function toFormat(format: string): ExportFormat {
  const known = EXPORT_FORMATS.find((name) => name === format)
  if (known === undefined) throw unknownFormat(format)
  return known
}

function toReply(projectId: ProjectId, format: ExportFormat, { id, pieces, count }: OpenExport): StreamedReply {
  const trailers = () => ({
    "X-Export-Rows": count.rows === null ? "" : String(count.rows),
    "X-Export-Has-More": String(count.isCut),
  })
  return { status: 200, headers: toHeaders(projectId, id, format), pieces, trailers }
}

const toHeaders = (projectId: ProjectId, id: string, format: ExportFormat): Record<string, string> => ({
  "Content-Type": CONTENT_TYPES[format],
  "Content-Disposition": `attachment; filename="export.${format}"`,
  "Cache-Control": "no-store",
  "X-Query-Id": encodeURIComponent(id),
  "X-Export-Progress": `/api/environments/${projectId}/query/${encodeURIComponent(id)}/?show_progress=true`,
  "X-Export-Max-Rows": String(MAX_EXPORT_ROWS),
  Trailer: "X-Export-Rows, X-Export-Has-More",
})

const unknownFormat = (format: string): AppError =>
  new AppError("invalid_choice", {
    attr: "format",
    detail: `"${format.slice(0, 40)}" is not a valid choice. Use one of: ${EXPORT_FORMATS.join(", ")}.`,
  })
