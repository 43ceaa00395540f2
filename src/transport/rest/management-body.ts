import type { IncomingMessage } from "node:http"
import { AppError } from "../../kernel/errors.js"
import type { Json } from "../../kernel/json.js"
import { parseJsonBody, refusePackedBody } from "../wire/json-body.js"
import { type HoldBytes, readBody, readChunks } from "../wire/read-body.js"
import { receiveDistinctIds } from "./read-csv.js"
import type { OperationRoute } from "./rest-route.types.js"

const MIB = 1024 * 1024
const MAX_JSON_BYTES = MIB
/** Of a CSV file, by itself or in a form. */
const MAX_CSV_BYTES = 20 * MIB

/** Who asks, as far as the head of the request shows, and where the body is counted. */
export interface BodyAdmission {
  /** Whether a key came in the head. A body that may still hold it is read up to 1 MiB, whatever it is. */
  readonly hasKey: boolean
  readonly hold: HoldBytes
}

/**
 * Reads the body of a management request; undefined when there is none. A CSV file of distinct ids becomes the list
 * `distinct_ids`, a form its fields by name, of which files are CSV of distinct ids too.
 * @throws AppError payload_too_large, overloaded, unsupported_media_type, parse_error, malformed_data, invalid_input.
 */
export async function readManagementBody(
  request: IncomingMessage,
  accepts: OperationRoute["body"],
  { hasKey, hold }: BodyAdmission,
): Promise<Json | undefined> {
  const maxFileBytes = hasKey ? MAX_CSV_BYTES : MAX_JSON_BYTES
  const contentType = request.headers["content-type"] ?? ""
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (mediaType === "text/csv" && accepts === "json-or-csv") {
    refusePackedBody(request)
    return { distinct_ids: await receiveDistinctIds(readChunks(request, maxFileBytes), "csv") }
  }
  const isForm = mediaType === "multipart/form-data" && (accepts === "json-or-csv" || accepts === "json-or-form")
  const bytes = await readBody(request, isForm ? maxFileBytes : MAX_JSON_BYTES, hold)
  if (bytes.length === 0) return undefined
  refusePackedBody(request)
  if (isForm) return readForm(bytes, contentType)
  if (mediaType !== "application/json" && !mediaType.endsWith("+json"))
    throw new AppError("unsupported_media_type", { detail: `Unsupported media type "${mediaType}" in request.` })
  return parseJsonBody(bytes)
}

/** @throws AppError malformed_data when the body cannot be taken apart into fields. */
async function readForm(bytes: Buffer, contentType: string): Promise<Json> {
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw malformedForm(cause)
    })
  const fields = await Promise.all(
    [...form].map(async ([name, value]) => [
      name,
      typeof value === "string" ? value : await receiveDistinctIds(value.stream(), name),
    ]),
  )
  if (fields.length === 0) throw malformedForm()
  return Object.fromEntries(fields)
}

const malformedForm = (cause?: unknown): AppError =>
  new AppError("malformed_data", { detail: "The body is no multipart/form-data with named fields.", cause })
