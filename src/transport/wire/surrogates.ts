const LEAD_OF_SURROGATE = 0xed
const BYTES_OF_HALF = 3
const REPLACEMENT = Buffer.from("\ufffd")

/**
 * The text of bytes that are not UTF-8 because each half of a surrogate pair was encoded on its own, as posthog-js
 * up to 1.35x does with all that it packs in base64 (`😀` is six bytes): pairs are read as the character they are, halves
 * without the other as U+FFFD. Other damage stays as it is.
 */
export function joinSurrogates(bytes: Buffer): Buffer {
  const joined = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let copiedTo = 0
  for (let at = leadFrom(bytes, 0); at >= 0; at = leadFrom(bytes, at)) {
    const first = halfAt(bytes, at)
    if (first === null) {
      at++
      continue
    }
    length += bytes.copy(joined, length, copiedTo, at)
    at += BYTES_OF_HALF
    const second = halfAt(bytes, at)
    if (isLeading(first) && second !== null && !isLeading(second)) {
      length = writeCharacter(joined, length, 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff))
      at += BYTES_OF_HALF
    } else length += REPLACEMENT.copy(joined, length)
    copiedTo = at
  }
  if (copiedTo === 0) return bytes
  length += bytes.copy(joined, length, copiedTo)
  return joined.subarray(0, length)
}

/** Halves mostly stand side by side, and a search costs more than a look. */
const leadFrom = (bytes: Buffer, at: number): number =>
  bytes[at] === LEAD_OF_SURROGATE ? at : bytes.indexOf(LEAD_OF_SURROGATE, at)

/** The half that is encoded here, or null when something else is. */
function halfAt(bytes: Buffer, at: number): number | null {
  const [lead, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  if (lead !== LEAD_OF_SURROGATE || (second & 0xe0) !== 0xa0 || (third & 0xc0) !== 0x80) return null
  return 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f)
}

const isLeading = (half: number): boolean => half < 0xdc00

/** Writes a character that takes four bytes. Answers where the next one goes. */
function writeCharacter(bytes: Buffer, at: number, codePoint: number): number {
  bytes[at] = 0xf0 | (codePoint >> 18)
  bytes[at + 1] = 0x80 | ((codePoint >> 12) & 0x3f)
  bytes[at + 2] = 0x80 | ((codePoint >> 6) & 0x3f)
  bytes[at + 3] = 0x80 | (codePoint & 0x3f)
  return at + 4
}
