const SNIFFED_BYTES = 128
const EQUALS = 0x3d
/** What Node reads as base64, and what may stand for it. */
const MANGLED_SIGN = /[A-Za-z0-9+/=_%-]/

/**
 * Whether bytes look like base64: the first 128 are in its alphabet and the length is whole
 * (`docs/contract/capture.md#decoding`). JSON never does, because its brackets and quotes are outside the alphabet.
 */
export function looksLikeBase64(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length % 4 !== 0) return false
  const end = Math.min(bytes.length, SNIFFED_BYTES)
  for (let index = 0; index < end; index++) if (!isInAlphabet(bytes[index] ?? 0)) return false
  return true
}

function isInAlphabet(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x2f && byte <= 0x39) ||
    byte === 0x2b ||
    byte === EQUALS
  )
}

/** Decodes base64; null when the text holds anything else (Node skips what it does not know, so lengths tell). */
export function decodeBase64(bytes: Buffer): Buffer | null {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === EQUALS) end--
  const decoded = Buffer.from(bytes.toString("latin1", 0, end), "base64")
  return decoded.length === Math.floor((end * 3) / 4) ? decoded : null
}

/**
 * Decodes base64 that went through a URL: percent-encoded padding, and spaces where a plus was
 * (`docs/contract/flags.md#decision-bodies`, `docs/contract/sdk-wire.md#encodings`). Null when it is not base64 even
 * so.
 */
export function decodeUrlMangledBase64(bytes: Buffer): Buffer | null {
  if (!mayBeMangled(bytes)) return null
  const text = bytes.toString("latin1").trim()
  try {
    const restored = (text.includes("%") ? decodeURIComponent(text) : text).replaceAll(" ", "+")
    return decodeBase64(Buffer.from(restored))
  } catch {
    return null
  }
}

/** Tells what is no base64 by its first sign, because looking at all of it takes long. */
function mayBeMangled(bytes: Buffer): boolean {
  let at = 0
  while (at < bytes.length && isBlank(bytes[at] ?? 0)) at++
  return at === bytes.length || MANGLED_SIGN.test(String.fromCharCode(bytes[at] ?? 0))
}

/** What `trim` takes away, as far as latin1 has it. */
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0xa0
