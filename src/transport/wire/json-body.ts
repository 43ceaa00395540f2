import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import { AppError } from "../../kernel/errors.js"
import { type Json, parseJson } from "../../kernel/json.js"
import { describeJsonFault } from "./json-fault.js"
import { JSON_LIMITS, scanJson } from "./scan-json.js"

/**
 * Parses a JSON body. Depth is counted first: millions of brackets parse but overflow whatever walks the result.
 * @throws AppError parse_error whose detail begins `JSON parse error - `, the text REST clients know.
 */
export function parseJsonBody(body: Buffer): Json {
  if (!isUtf8(body)) throw fault("the body is no UTF-8 text")
  try {
    scanJson(body, JSON_LIMITS)
  } catch (thrown) {
    throw fault(`more than ${JSON_LIMITS.maxDepth} nested levels`, thrown)
  }
  const text = body.toString("utf8")
  try {
    return parseJson(text)
  } catch (thrown) {
    throw fault(describeJsonFault(text), thrown)
  }
}

/**
 * Refuses a body that says it is packed: only capture and decide unpack bodies, and elsewhere it would be taken for broken
 * JSON. @throws AppError unsupported_media_type.
 */
export function refusePackedBody({ headers }: Pick<IncomingMessage, "headers">): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity"
  if (encoding === "" || encoding === "identity") return
  throw new AppError("unsupported_media_type", { detail: `Unsupported content encoding "${encoding}" in request.` })
}

const fault = (reason: string, cause?: unknown): AppError =>
  new AppError("parse_error", { detail: `JSON parse error - ${reason}`, cause })
