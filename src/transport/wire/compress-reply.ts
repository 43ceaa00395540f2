import type { IncomingHttpHeaders } from "node:http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import Negotiator from "negotiator"
import type { Reply } from "../../kernel/reply.js"
import { toBodyText } from "./send-reply.js"

/** Smaller bodies fit into one packet as they are (`docs/contract/management.md#compression`). */
export const MIN_COMPRESSED_BYTES = 1_400

/** Of 100 recordings higher levels save 2 % more of the bytes and take three times as long (decision 0064). */
const BROTLI_QUALITY = 1
const GZIP_LEVEL = 1

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** What is offered, best first. */
const ENCODINGS = ["br", "gzip", "identity"] as const

/**
 * Compresses the body of an answer as the client accepts it, beside the event loop. Answers that are small, empty or
 * encoded already stay as they are; the others say that they depend on `Accept-Encoding`.
 */
export async function compressReply(reply: Reply, { "accept-encoding": accept }: IncomingHttpHeaders): Promise<Reply> {
  if (reply.body === undefined || reply.headers?.["Content-Encoding"] !== undefined) return reply
  const bytes = toBytes(reply.body)
  const isJson = typeof reply.body !== "string" && !(reply.body instanceof Uint8Array)
  const headers: Record<string, string> = { ...(isJson && { "Content-Type": "application/json" }), ...reply.headers }
  if (bytes.length < MIN_COMPRESSED_BYTES) return { ...reply, headers, body: bytes }
  const varying = { ...headers, Vary: joinVary(headers.Vary, "Accept-Encoding") }
  const encoding = chooseEncoding(accept)
  if (encoding === "identity") return { ...reply, headers: varying, body: bytes }
  const body = encoding === "br" ? await toBrotli(bytes) : await compressGzip(bytes, { level: GZIP_LEVEL })
  return { ...reply, headers: { ...varying, "Content-Encoding": encoding }, body }
}

const toBytes = (body: unknown): Uint8Array => (body instanceof Uint8Array ? body : Buffer.from(toBodyText(body)))

const toBrotli = (bytes: Uint8Array): Promise<Buffer> =>
  compressBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

/** The best of those that a client accepts at all. One that says nothing may not know any. */
export function chooseEncoding(accept: string | undefined): (typeof ENCODINGS)[number] {
  if (accept === undefined) return "identity"
  const accepted = new Negotiator({ headers: { "accept-encoding": accept } }).encodings(ENCODINGS)
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? "identity"
}

const joinVary = (known: string | undefined, name: string): string =>
  known === undefined || known === name ? name : `${known}, ${name}`
