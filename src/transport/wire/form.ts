import { looksLikeBase64 } from "./base64.js"
import { type Packing, packingOfField } from "./encoding-hint.js"
import { undecodable } from "./faults.js"

const SNIFFED_BYTES = 128
/** The signs of base64 that a form encodes. */
const ENCODED_SIGN = /%(?:2B|2F|3D)/gi
const KNOWN_FIELD_FIRST = /(^|&)(data|_|ip|compression)=/

/** What a form holds of an envelope. */
export interface FormPayload {
  readonly payload: Buffer
  readonly packing: Packing | null
}

/** Whether a content type, with or without parameters, is that of an urlencoded form. */
export const isForm = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)

/**
 * Takes the payload out of an urlencoded form: field `data`, packed as field `compression` says. Bare base64 without a
 * field name is taken as well (`docs/contract/flags.md#decision-bodies`).
 * @throws AppError malformed_data when the body is no such form.
 */
export function readForm(body: Buffer): FormPayload {
  if (!KNOWN_FIELD_FIRST.test(body.toString("latin1", 0, SNIFFED_BYTES))) {
    const bare = padded(withPlainSigns(body))
    if (looksLikeBase64(bare)) return { payload: bare, packing: null }
    throw undecodable("Content-Type says it is a form, but it has no field data=. Send JSON as application/json.")
  }
  const fields = new URLSearchParams(body.toString("latin1"))
  return { payload: textPayload(fields.get("data") ?? ""), packing: packingOfField(fields.get("compression")) }
}

/** Bare base64 whose signs were percent-encoded as in a form; anything else as it is. */
function withPlainSigns(body: Buffer): Buffer {
  if (!body.includes("%")) return body
  return Buffer.from(body.toString("latin1").trim().replace(ENCODED_SIGN, decodeURIComponent), "latin1")
}

/** Bare base64 may come without its padding; what has an equals sign is whole, or a form. */
function padded(bare: Buffer): Buffer {
  if (bare.length % 4 === 0 || bare.includes("=")) return bare
  return Buffer.concat([bare, Buffer.from("=".repeat(4 - (bare.length % 4)))])
}

/** Bytes of a payload that was a form or query field; a plus that became a space on the way is put back (base64 only). */
export function textPayload(text: string): Buffer {
  if (!text.includes(" ")) return Buffer.from(text)
  const restored = Buffer.from(text.replaceAll(" ", "+"))
  return looksLikeBase64(restored) ? restored : Buffer.from(text)
}
