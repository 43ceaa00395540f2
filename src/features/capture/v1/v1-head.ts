import { isUuid } from "../../../kernel/ids.js"
import { type RequestHeaders, readHeader } from "../../../kernel/request-headers.js"
import { isZonedTime, parseTime } from "../steps/parse-time.js"
import { V1Fault } from "./v1-fault.js"

/** What the headers of a v1 request say. */
export interface V1Head {
  readonly token: string
  /** The sending time of this attempt, milliseconds since the epoch. */
  readonly sentAtMs: number
  readonly library: string
  readonly libraryVersion: string
}

const REQUIRED_HEADERS = [
  "authorization",
  "content-type",
  "user-agent",
  "posthog-sdk-info",
  "posthog-attempt",
  "posthog-request-id",
  "posthog-request-timestamp",
] as const
const ENCODINGS = ["gzip", "deflate", "br", "zstd", "identity"]

const invalidHeader = (name: string, rule: string): V1Fault =>
  new V1Fault(400, "invalid_header_value", `The header ${name} ${rule}.`)

/**
 * Reads and checks the headers that every v1 request carries (`docs/contract/capture.md#capture-v1`).
 * @throws V1Fault 400 or 415 naming the header.
 */
export function readV1Head(headers: RequestHeaders): V1Head {
  const missing = REQUIRED_HEADERS.filter((name) => headers[name] === undefined)
  if (missing.length > 0)
    throw new V1Fault(400, "missing_required_headers", `These headers are missing: ${missing.join(", ")}.`)
  const read = (name: (typeof REQUIRED_HEADERS)[number]): string => (readHeader(headers, name) ?? "").trim()
  const bearer = /^bearer\s+(\S+)$/i.exec(read("authorization"))
  if (bearer === null) throw invalidHeader("Authorization", "must be Bearer and the project API key")
  if (!/^application\/json\s*(;|$)/i.test(read("content-type")))
    throw new V1Fault(415, "unsupported_content_type", "Content-Type must be application/json.")
  if (!ENCODINGS.includes((readHeader(headers, "content-encoding") ?? "identity").trim().toLowerCase()))
    throw new V1Fault(415, "unsupported_encoding", `Content-Encoding must be one of ${ENCODINGS.join(", ")}.`)
  const sdk = /^([^/\s]+)\/(\S+)$/.exec(read("posthog-sdk-info"))
  if (sdk === null) throw invalidHeader("PostHog-Sdk-Info", "must be name/version")
  if (!/^[1-9]\d{0,8}$/.test(read("posthog-attempt"))) throw invalidHeader("PostHog-Attempt", "must be 1 or more")
  if (!isUuid(read("posthog-request-id"))) throw invalidHeader("PostHog-Request-Id", "must be a UUID")
  const sentAt = read("posthog-request-timestamp")
  const sentAtMs = isZonedTime(sentAt) ? parseTime(sentAt) : null
  if (sentAtMs === null) throw invalidHeader("PostHog-Request-Timestamp", "must be a time in RFC 3339")
  const [, token = ""] = bearer
  const [, library = "", libraryVersion = ""] = sdk
  return { token, sentAtMs, library, libraryVersion }
}
