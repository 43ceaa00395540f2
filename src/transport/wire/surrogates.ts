import { concatInTurns } from "../../kernel/concat-in-turns.js"
import { yieldToEventLoop } from "../../kernel/yield-to-event-loop.js"

const LEAD_OF_SURROGATE = 0xed
const FIRST_SURROGATE_BYTE = 0xa0
const BYTES_OF_UNIT = 3
const BYTES_PER_YIELD = 256 * 1024

/**
 * The text of bytes that are no UTF-8 because each half of a surrogate pair was encoded on its own, as posthog-js
 * up to 1.35x does with all that it packs in base64 (`😀` is six bytes): pairs are read as the character they are, halves
 * without the other as U+FFFD. Other damage stays as it is.
 */
export function joinSurrogates(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let copiedTo = 0
  for (let at = bytes.indexOf(LEAD_OF_SURROGATE); at >= 0; at = bytes.indexOf(LEAD_OF_SURROGATE, at)) {
    const units: number[] = []
    const start = at
    for (let unit = surrogateAt(bytes, at); unit !== null; unit = surrogateAt(bytes, at)) {
      units.push(unit)
      at += BYTES_OF_UNIT
    }
    if (units.length === 0) at++
    else parts.push(bytes.subarray(copiedTo, start), encode(units))
    copiedTo = units.length === 0 ? copiedTo : at
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(copiedTo)])
}

/** `joinSurrogates`, with everybody else's turn in between. */
export async function joinSurrogatesInTurns(bytes: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = []
  let isSame = true
  let length = 0
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + BYTES_PER_YIELD, bytes.length)
    // Not in the middle of a character, nor between halves.
    while (end < bytes.length && mayBelongToHalf(bytes[end] as number)) end++
    const piece = bytes.subarray(start, end)
    const joined = joinSurrogates(piece)
    isSame &&= joined === piece
    length += joined.length
    pieces.push(joined)
    start = end
    await yieldToEventLoop()
  }
  return isSame ? bytes : concatInTurns(pieces, length)
}

const mayBelongToHalf = (byte: number): boolean => byte === LEAD_OF_SURROGATE || (byte & 0xc0) === 0x80

/** The half that is encoded here, or null when something else is. */
function surrogateAt(bytes: Buffer, at: number): number | null {
  const [lead, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  if (lead !== LEAD_OF_SURROGATE || second === undefined || third === undefined) return null
  if (second < FIRST_SURROGATE_BYTE || second > 0xbf || (third & 0xc0) !== 0x80) return null
  return 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f)
}

/** Node writes halves without the other as U+FFFD. */
const encode = (units: readonly number[]): Buffer =>
  Buffer.from(units.map((unit) => String.fromCharCode(unit)).join(""))
