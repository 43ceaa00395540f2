import type { IncomingHttpHeaders } from "node:http"
import type { Json } from "../../kernel/json.js"
import type { SentText } from "./capture.types.js"

/** What is known of a capture request before its body is read. */
export interface CaptureHead {
  readonly method: string
  /** Path alone, with or without a final slash. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

/** A capture request whose body has been decoded. */
export interface CaptureCall extends CaptureHead {
  readonly body: Json
  /** The text that the body was read from. */
  readonly text: SentText
  readonly clientIp: string
  readonly receivedAtMs: number
}

export interface CaptureReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body to send, already text; empty with 204. */
  readonly body: string
}
