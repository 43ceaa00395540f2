const WORD_BYTES = 8
const ROUNDS_OF_WORD = 2
const ROUNDS_AT_END = 4
const TWO_TO_32 = 2 ** 32

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): who does not know the key can neither tell nor repeat what a message comes to. The
 * four 64-bit numbers of its state are eight halves here, `l` the lower and `h` the upper one: bigints take far longer.
 *
 * @param key 16 bytes
 * @returns the 64 bits as 16 hexadecimal digits, highest first
 */
export function sipHash(key: Uint8Array, message: Uint8Array): string {
  const keys = new DataView(key.buffer, key.byteOffset, key.byteLength)
  const words = toWords(message)
  // "somepseudorandomlygeneratedbytes", as the authors chose.
  let l0 = keys.getInt32(0, true) ^ 0x70736575
  let h0 = keys.getInt32(4, true) ^ 0x736f6d65
  let l1 = keys.getInt32(8, true) ^ 0x6e646f6d
  let h1 = keys.getInt32(12, true) ^ 0x646f7261
  let l2 = keys.getInt32(0, true) ^ 0x6e657261
  let h2 = keys.getInt32(4, true) ^ 0x6c796765
  let l3 = keys.getInt32(8, true) ^ 0x79746573
  let h3 = keys.getInt32(12, true) ^ 0x74656462
  for (let at = 0; at <= words.byteLength; at += WORD_BYTES) {
    const isEnd = at === words.byteLength
    const low = isEnd ? 0 : words.getInt32(at, true)
    const high = isEnd ? 0 : words.getInt32(at + 4, true)
    if (isEnd) l2 ^= 0xff
    l3 ^= low
    h3 ^= high
    for (let round = isEnd ? ROUNDS_AT_END : ROUNDS_OF_WORD; round > 0; round--) {
      let sum = (l0 >>> 0) + (l1 >>> 0)
      h0 = (h0 + h1 + (sum >= TWO_TO_32 ? 1 : 0)) | 0
      l0 = sum | 0
      let turned = ((l1 << 13) | (h1 >>> 19)) ^ l0
      h1 = ((h1 << 13) | (l1 >>> 19)) ^ h0
      l1 = turned
      turned = h0
      h0 = l0
      l0 = turned
      sum = (l2 >>> 0) + (l3 >>> 0)
      h2 = (h2 + h3 + (sum >= TWO_TO_32 ? 1 : 0)) | 0
      l2 = sum | 0
      turned = ((l3 << 16) | (h3 >>> 16)) ^ l2
      h3 = ((h3 << 16) | (l3 >>> 16)) ^ h2
      l3 = turned
      sum = (l0 >>> 0) + (l3 >>> 0)
      h0 = (h0 + h3 + (sum >= TWO_TO_32 ? 1 : 0)) | 0
      l0 = sum | 0
      turned = ((l3 << 21) | (h3 >>> 11)) ^ l0
      h3 = ((h3 << 21) | (l3 >>> 11)) ^ h0
      l3 = turned
      sum = (l2 >>> 0) + (l1 >>> 0)
      h2 = (h2 + h1 + (sum >= TWO_TO_32 ? 1 : 0)) | 0
      l2 = sum | 0
      turned = ((l1 << 17) | (h1 >>> 15)) ^ l2
      h1 = ((h1 << 17) | (l1 >>> 15)) ^ h2
      l1 = turned
      turned = h2
      h2 = l2
      l2 = turned
    }
    l0 ^= low
    h0 ^= high
  }
  return toDigits(h0 ^ h1 ^ h2 ^ h3) + toDigits(l0 ^ l1 ^ l2 ^ l3)
}

/** Whole words: the message, as many zeros as are needed, and its length in the last byte. */
function toWords(message: Uint8Array): DataView {
  const bytes = new Uint8Array(message.length - (message.length % WORD_BYTES) + WORD_BYTES)
  bytes.set(message)
  bytes[bytes.length - 1] = message.length
  return new DataView(bytes.buffer)
}

const toDigits = (half: number): string => (half >>> 0).toString(16).padStart(8, "0")
