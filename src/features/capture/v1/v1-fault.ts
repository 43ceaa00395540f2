import { ERRORS, type ErrorCode } from "../../../kernel/errors.js"
import type { Reply } from "../../../kernel/reply.js"

/** A refusal of a whole v1 request: `tag` is what its clients match on (`docs/contract/capture.md#capture-v1`). */
export class V1Fault extends Error {
  constructor(
    readonly status: number,
    readonly tag: string,
    description: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(description)
    this.name = "V1Fault"
  }
}

/** The v1 error body, with the fields of our one wire error body beside its own. */
export function toV1ErrorReply({ status, tag, message, retryAfterSeconds }: V1Fault): Reply {
  return {
    status,
    headers: {
      "Content-Type": "application/json",
      ...(retryAfterSeconds === null ? {} : { "Retry-After": String(retryAfterSeconds) }),
    },
    body: JSON.stringify({
      error: tag,
      error_description: message,
      type: ERRORS[toErrorCode(status)].type,
      code: tag,
      detail: message,
      attr: null,
    }),
  }
}

function toErrorCode(status: number): ErrorCode {
  if (status === 401) return "invalid_project_key"
  if (status === 415) return "unsupported_media_type"
  return status < 500 ? "malformed_data" : "store_unavailable"
}
