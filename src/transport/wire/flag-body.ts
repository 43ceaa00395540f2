import type { Json } from "../../kernel/json.js"
import { type DecodeRules, decodeBody, type EncodedBody } from "./decode-body.js"
import { packingOfField } from "./encoding-hint.js"
import { undecodable } from "./faults.js"

/** What flag clients send, parameters such as `charset` aside (`flags.md` 1.3 step 1). */
const FLAG_TYPES = /^(?:application\/json|text\/plain|application\/x-www-form-urlencoded)\s*(?:;|$)/i

/**
 * Decodes the body of a decision request. Stricter than capture where nothing can be lost: a type or a compression that no
 * client of flags has is told to whoever wrote the request (`flags.md` section 2).
 * @throws AppError malformed_data or payload_too_large (or rejects with it).
 */
export function decodeFlagBody(encoded: EncodedBody, rules: DecodeRules): Json | Promise<Json> {
  const { contentType, query } = encoded
  if (contentType !== undefined && contentType !== "" && !FLAG_TYPES.test(contentType))
    throw undecodable("Content-Type must be application/json, text/plain or application/x-www-form-urlencoded.")
  const compression = query.size === 0 ? null : query.get("compression")
  if (compression !== null && compression !== "" && packingOfField(compression) === null)
    throw undecodable("the query parameter compression must be gzip, gzip-js, lz64 or base64.")
  return decodeBody(encoded, rules)
}
