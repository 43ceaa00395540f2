import { type Awaitable, andThen } from "../../kernel/awaitable.js"
import type { BodyRules, DecodedText } from "../../kernel/direct-route.types.js"
import { type RequestHeaders, readHeader } from "../../kernel/request-headers.js"
import { decodeBase64, decodeUrlMangledBase64, looksLikeBase64 } from "./base64.js"
import { type Packing, packingOfField, packingOfHeader } from "./encoding-hint.js"
import { bodyTooLarge, inflatedTooLarge, undecodable } from "./faults.js"
import { isForm, readForm, textPayload } from "./form.js"
import { inflate, isGzip } from "./inflate.js"
import { readJsonText } from "./json-text.js"
import { decompressLz64 } from "./lz64.js"
import type { HoldBytes } from "./read-body.js"

/** What arrived: the body's bytes and the parts of the head that say how it is packed. */
export interface EncodedBody {
  readonly headers: RequestHeaders
  readonly query: URLSearchParams
  readonly body: Buffer
  /** Counts what the body takes besides the bytes that arrived. */
  readonly hold: HoldBytes
}

const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
/** Clients that use lz64 are years old and send single events; unpacking these sizes holds up nothing for long. */
const MAX_LZ64_WIRE_BYTES = 1024 * 1024
const MAX_LZ64_CHARS = 2 * 1024 * 1024

/**
 * Turns a capture or decide body into JSON, whatever of the known ways it was packed in
 * (`docs/contract/capture.md#decoding`, `docs/contract/flags.md#decision-bodies`): plain, gzip by hint or by its first
 * bytes, deflate, brotli, zstd, base64, lz64, form field, `data` in the query. Answers at once when nothing has to be
 * inflated in the background and the text is not large, which is the usual case.
 *
 * Halves of surrogate pairs that were encoded one by one are joined. NUL and lone surrogates stay in texts, and
 * `__proto__` stays an ordinary own key; the features clean what they store.
 * @throws AppError malformed_data, payload_too_large or overloaded (or rejects with it).
 */
export function decodeBody(encoded: EncodedBody, rules: BodyRules): Awaitable<DecodedText> {
  const { maxBytes, lenientText = false } = rules
  const { hold } = encoded
  if (rules.refusesUnknownTypes) refuseUnknownTypes(encoded)
  if (encoded.body.length > maxBytes) throw bodyTooLarge(maxBytes)
  if (isPlainJson(encoded)) return readJsonText(encoded.body, lenientText, hold)
  const { payload, packing } = unwrap(encoded)
  if (payload.length === 0) throw undecodable("it is empty.")
  if (packing === "lz64") return parseLz64(payload, rules, hold)
  const bytes = looksLikeBase64(payload) ? (decodeBase64(payload) ?? payload) : payload
  const compression = packing === null || packing === "base64" ? (isGzip(bytes) ? "gzip" : null) : packing
  if (compression === null) return finish(bytes, rules, hold)
  return andThen(inflate(bytes, compression, maxBytes), (text) => {
    hold(text.length)
    return finish(text, rules, hold)
  })
}

/** What flag clients send, parameters such as `charset` aside (`docs/contract/flags.md#decision-bodies`). */
const FLAG_TYPES = /^(?:application\/json|text\/plain|application\/x-www-form-urlencoded)\s*(?:;|$)/i

function refuseUnknownTypes({ headers, query }: EncodedBody): void {
  const contentType = readHeader(headers, "content-type") ?? ""
  if (contentType !== "" && !FLAG_TYPES.test(contentType))
    throw undecodable("Content-Type must be application/json, text/plain or application/x-www-form-urlencoded.")
  const compression = (query.size === 0 ? null : query.get("compression")) ?? ""
  if (compression !== "" && packingOfField(compression) === null)
    throw undecodable("the query parameter compression must be gzip, gzip-js, lz64 or base64.")
}

function isPlainJson({ headers, query, body }: EncodedBody): boolean {
  const first = body[0]
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return false
  if (headers["content-encoding"] !== undefined || (query.size > 0 && packsBody(query))) return false
  return !isForm(readHeader(headers, "content-type"))
}

const packsBody = (query: URLSearchParams): boolean => query.has("data") || query.has("compression")

/** Order of hints: query, form, header (`docs/contract/capture.md#decoding`). */
function unwrap({ headers, query, body }: EncodedBody): { payload: Buffer; packing: Packing | null } {
  const hinted = packingOfField(query.get("compression"))
  const declared = packingOfHeader(readHeader(headers, "content-encoding"))
  const inQuery = query.get("data")
  if (inQuery) return { payload: textPayload(inQuery), packing: hinted }
  if (body.length === 0 || declared !== null || !isForm(readHeader(headers, "content-type")))
    return { payload: body, packing: hinted ?? declared }
  const form = readForm(body)
  return { payload: form.payload, packing: hinted ?? form.packing }
}

function finish(
  bytes: Buffer,
  { legacyBase64Unwrap, lenientText = false }: BodyRules,
  hold: HoldBytes,
): Awaitable<DecodedText> {
  const unwrapped = legacyBase64Unwrap && looksLikeBase64(bytes) ? decodeBase64(bytes) : null
  if (unwrapped !== null) return readJsonText(unwrapped, lenientText, hold)
  const first = bytes[0]
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return readJsonText(bytes, lenientText, hold)
  return readJsonText(decodeUrlMangledBase64(bytes) ?? withoutByteOrderMark(bytes), lenientText, hold)
}

const withoutByteOrderMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

function parseLz64(
  payload: Buffer,
  { maxBytes, lenientText = false }: BodyRules,
  hold: HoldBytes,
): Awaitable<DecodedText> {
  if (payload.length > MAX_LZ64_WIRE_BYTES) throw bodyTooLarge(MAX_LZ64_WIRE_BYTES)
  const text = Buffer.from(decompressLz64(payload, Math.min(MAX_LZ64_CHARS, maxBytes)))
  if (text.length > maxBytes) throw inflatedTooLarge(maxBytes)
  return readJsonText(text, lenientText, hold)
}
