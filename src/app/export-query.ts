import {
  CONTENT_TYPES,
  EXPORT_FORMATS,
  type ExportFormat,
  MAX_EXPORT_ROWS,
  type QueryExports,
  toQueryRequest,
} from "../features/queries/index.js"
import { AppError } from "../kernel/errors.js"
import type { DownloadHandler } from "../transport/rest/run-stream.js"

type RawRequest = Parameters<typeof toQueryRequest>[0]

/** What the export row reads from a request. */
export interface ExportVariables {
  readonly input: RawRequest
  readonly format: string
}

/** Joins the export row to its use case. What is known only at the end travels as trailers. */
export function createExportHandler(exports: QueryExports): DownloadHandler<ExportVariables> {
  return async (projectId, { input, format }, signal) => {
    const known = EXPORT_FORMATS.find((name) => name === format)
    if (known === undefined) throw unknownFormat(format)
    const { id, pieces, count } = await exports.open(projectId, toQueryRequest(input), known, signal)
    const trailers = () => ({
      "X-Export-Rows": known === "parquet" ? "" : String(count.rows),
      "X-Export-Has-More": String(count.isCut),
    })
    return { status: 200, headers: headersOf(id, known), pieces, trailers }
  }
}

const headersOf = (id: string, format: ExportFormat): Record<string, string> => ({
  "Content-Type": CONTENT_TYPES[format],
  "Content-Disposition": `attachment; filename="export.${format}"`,
  "Cache-Control": "no-store",
  "X-Query-Id": encodeURIComponent(id),
  "X-Export-Max-Rows": String(MAX_EXPORT_ROWS),
  Trailer: "X-Export-Rows, X-Export-Has-More",
})

const unknownFormat = (format: string): AppError =>
  new AppError("invalid_choice", {
    attr: "format",
    detail: `"${format.slice(0, 40)}" is not a valid choice. Use one of: ${EXPORT_FORMATS.join(", ")}.`,
  })
