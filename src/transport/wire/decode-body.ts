import { type Awaitable, andThen } from "../../kernel/awaitable.js"
import type { Json } from "../../kernel/json.js"
import { isJsonSpace } from "../../kernel/json-outline.js"
import { decodeBase64, decodeUrlMangledBase64, looksLikeBase64 } from "./base64.js"
import { type Packing, packingOfField, packingOfHeader } from "./encoding-hint.js"
import { bodyTooLarge, invalidJson, undecodable } from "./faults.js"
import { isForm, readForm, textPayload } from "./form.js"
import { inflate, isGzip } from "./inflate.js"
import { type DecodedText, type JsonTextLimits, readJsonText } from "./json-text.js"
import { decompressLz64 } from "./lz64.js"
import { NestingGuard } from "./nesting.js"

/** What arrived: the body's bytes and the parts of the head that say how it is packed. */
export interface EncodedBody {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly query: URLSearchParams
  readonly body: Buffer
}

export interface DecodeLimits extends JsonTextLimits {
  readonly maxWireBytes: number
  readonly maxInflatedBytes: number
  /** On capture's older paths a client may wrap the decompressed text in base64 once more (`capture.md` 1.3 step 6). */
  readonly legacyBase64Unwrap: boolean
}

const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
const FIRST_PRINTABLE = 0x20
/** Clients that use lz64 are years old and send single events; unpacking these sizes holds up nothing for long. */
const MAX_LZ64_WIRE_BYTES = 1024 * 1024
const MAX_LZ64_CHARS = 2 * 1024 * 1024

/** `decodeText` for whom the value is enough. */
export const decodeBody = (encoded: EncodedBody, limits: DecodeLimits): Awaitable<Json> =>
  andThen(decodeText(encoded, limits), ({ json }) => json)

/**
 * Turns a capture or decide body into JSON, whatever of the known ways it was packed in (`capture.md` 1.3, `flags.md` 1.3):
 * plain, gzip by hint or by its first bytes, deflate, brotli, zstd, base64, lz64, form field, `data` in the query.
 * Answers at once when nothing has to be inflated in the background and the text is not large, which is the usual case.
 *
 * Halves of surrogate pairs that were encoded one by one are joined. NUL and lone surrogates stay in texts, and `__proto__` stays an ordinary own key; the features clean what they store.
 * @throws AppError malformed_data or payload_too_large (or rejects with it).
 */
export function decodeText(encoded: EncodedBody, limits: DecodeLimits): Awaitable<DecodedText> {
  if (encoded.body.length > limits.maxWireBytes) throw bodyTooLarge(limits.maxWireBytes)
  if (isPlainJson(encoded)) return readJsonText(encoded.body, limits)
  const { payload, packing } = unwrap(encoded)
  if (payload.length === 0) throw undecodable("it is empty.")
  if (packing === "lz64") return parseLz64(payload, limits)
  const bytes = looksLikeBase64(payload) ? (decodeBase64(payload) ?? payload) : payload
  const compression = packing === null || packing === "base64" ? (isGzip(bytes) ? "gzip" : null) : packing
  if (compression === null) return finish(bytes, limits)
  const { maxInflatedBytes } = limits
  const nesting = new NestingGuard(limits.maxDepth)
  const inflated = inflate(bytes, compression, { maxInflatedBytes, inspect: inspectFor(nesting) })
  return andThen(inflated, (text) => finish(text, limits, nesting))
}

function isPlainJson({ contentType, contentEncoding, query, body }: EncodedBody): boolean {
  const first = body[0]
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return false
  return contentEncoding === undefined && (query.size === 0 || !packsBody(query)) && !isForm(contentType)
}

const packsBody = (query: URLSearchParams): boolean => query.has("data") || query.has("compression")

/** Order of hints: query, form, header (`capture.md` 1.3 step 4). */
function unwrap(encoded: EncodedBody): { payload: Buffer; packing: Packing | null } {
  const { query, body } = encoded
  const hinted = packingOfField(query.get("compression"))
  const declared = packingOfHeader(encoded.contentEncoding)
  const inQuery = query.get("data")
  if (inQuery) return { payload: textPayload(inQuery), packing: hinted }
  if (body.length === 0 || declared !== null || !isForm(encoded.contentType))
    return { payload: body, packing: hinted ?? declared }
  const form = readForm(body)
  return { payload: form.payload, packing: hinted ?? form.packing }
}

/** Looks at inflated chunks as they come: neither a bomb of zeros nor one of brackets is inflated to its end. */
function inspectFor(nesting: NestingGuard): (chunk: Uint8Array) => void {
  let isFirst = true
  return (chunk) => {
    if (isFirst && chunk.length > 0) {
      isFirst = false
      const first = chunk[0] as number
      if (first < FIRST_PRINTABLE && !isJsonSpace(first)) throw invalidJson()
    }
    nesting.scan(chunk)
  }
}

/** @param scanned a guard that has seen these very bytes. */
function finish(bytes: Buffer, limits: DecodeLimits, scanned?: NestingGuard): Awaitable<DecodedText> {
  const unwrapped = limits.legacyBase64Unwrap && looksLikeBase64(bytes) ? decodeBase64(bytes) : null
  if (unwrapped !== null) return readJsonText(unwrapped, limits)
  const first = bytes[0]
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return readJsonText(bytes, limits, scanned)
  return readJsonText(decodeUrlMangledBase64(bytes) ?? withoutByteOrderMark(bytes), limits)
}

const withoutByteOrderMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

function parseLz64(payload: Buffer, limits: DecodeLimits): Awaitable<DecodedText> {
  if (payload.length > MAX_LZ64_WIRE_BYTES) throw bodyTooLarge(MAX_LZ64_WIRE_BYTES)
  const text = decompressLz64(payload, Math.min(MAX_LZ64_CHARS, limits.maxInflatedBytes))
  return readJsonText(Buffer.from(text), limits)
}
