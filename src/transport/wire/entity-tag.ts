import { hash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import type { Reply } from "../../kernel/reply.js"
import { toBodyText } from "./send-reply.js"

const TAG_LENGTH = 22

/** The tag of an answer: weak, because the same answer may be sent compressed (RFC 9110 section 8.8.1). */
export const toEntityTag = (text: string): string => `W/"${hash("sha256", text, "base64url").slice(0, TAG_LENGTH)}"`

/** Whether a client says in `If-None-Match` that it has the answer with this tag, or any at all. */
export function hasEntityTag({ "if-none-match": known }: IncomingHttpHeaders, tag: string): boolean {
  if (known === undefined) return false
  if (known.trim() === "*") return true
  const opaque = tag.replace(/^W\//, "")
  return [...known.matchAll(/"[^"]*"/g)].some(([one]) => one === opaque)
}

/**
 * Gives an answer to a reading request its tag, and leaves the body out with 304 for a client that has it
 * (`docs/contract/management.md#unchanged-answers`). What is private to a key stays out of caches that many share.
 */
export function tagReply(reply: Reply, requestHeaders: IncomingHttpHeaders): Reply {
  if (reply.status !== 200 || reply.body === undefined || reply.headers?.ETag !== undefined) return reply
  const body = toBodyText(reply.body)
  const tag = toEntityTag(body)
  const headers = { ...reply.headers, ETag: tag, "Cache-Control": "private, no-cache", Vary: "Accept-Encoding" }
  if (hasEntityTag(requestHeaders, tag)) return { status: 304, headers }
  const isJson = typeof reply.body !== "string"
  return { ...reply, headers: { ...(isJson && { "Content-Type": "application/json" }), ...headers }, body }
}
