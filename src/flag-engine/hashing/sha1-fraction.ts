import { hash } from "node:crypto"

const MAX_FAST_BYTES = 1024
const bytes = new Uint8Array(MAX_FAST_BYTES + 64)
const view = new DataView(bytes.buffer)
const schedule = new Int32Array(80)

/** Binary64 nearest to the largest 60-bit number (`docs/contract/flags.md#hashing`). */
const SCALE = 2 ** 60

/**
 * The first 60 bits of SHA-1 over UTF-8 `prefix + identifier + salt`, as a fraction from 0 to 1
 * (`docs/contract/flags.md#hashing`). Plain ASCII is hashed here, because one call into node:crypto costs twice as much
 * as hashing one block in JavaScript and a decision needs up to two hashes per flag; any other text goes through
 * node:crypto.
 */
export function sha1Fraction(prefix: string, identifier: string, salt: string): number {
  const length = prefix.length + identifier.length + salt.length
  if (length <= MAX_FAST_BYTES - 9) {
    const end = writeAscii(salt, writeAscii(identifier, writeAscii(prefix, 0)))
    if (end === length) return hashBytes(length)
  }
  return Number.parseInt(hash("sha1", prefix + identifier + salt, "hex").slice(0, 15), 16) / SCALE
}

/** Writes ASCII text at an offset; returns the new offset, or a negative number when the text is not ASCII. */
function writeAscii(text: string, offset: number): number {
  if (offset < 0) return offset
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 127) return Number.NEGATIVE_INFINITY
    bytes[offset + index] = code
  }
  return offset + text.length
}

function hashBytes(length: number): number {
  const paddedLength = (length + 9 + 63) & ~63
  bytes.fill(0, length, paddedLength)
  bytes[length] = 0x80
  view.setUint32(paddedLength - 4, length * 8)
  let h0 = 0x67452301
  let h1 = 0xefcdab89 | 0
  let h2 = 0x98badcfe | 0
  let h3 = 0x10325476
  let h4 = 0xc3d2e1f0 | 0
  for (let block = 0; block < paddedLength; block += 64) {
    fillSchedule(block)
    // Four loops instead of a choice per round: it takes a third off the time.
    let a = h0
    let b = h1
    let c = h2
    let d = h3
    let e = h4
    for (let round = 0; round < 20; round++) {
      const next = (((a << 5) | (a >>> 27)) + ((b & c) | (~b & d)) + e + 0x5a827999 + (schedule[round] as number)) | 0
      e = d
      d = c
      c = (b << 30) | (b >>> 2)
      b = a
      a = next
    }
    for (let round = 20; round < 40; round++) {
      const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + 0x6ed9eba1 + (schedule[round] as number)) | 0
      e = d
      d = c
      c = (b << 30) | (b >>> 2)
      b = a
      a = next
    }
    for (let round = 40; round < 60; round++) {
      const next =
        (((a << 5) | (a >>> 27)) + ((b & c) | (b & d) | (c & d)) + e + 0x8f1bbcdc + (schedule[round] as number)) | 0
      e = d
      d = c
      c = (b << 30) | (b >>> 2)
      b = a
      a = next
    }
    for (let round = 60; round < 80; round++) {
      const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + 0xca62c1d6 + (schedule[round] as number)) | 0
      e = d
      d = c
      c = (b << 30) | (b >>> 2)
      b = a
      a = next
    }
    h0 = (h0 + a) | 0
    h1 = (h1 + b) | 0
    h2 = (h2 + c) | 0
    h3 = (h3 + d) | 0
    h4 = (h4 + e) | 0
  }
  return ((h0 >>> 0) * 2 ** 28 + (h1 >>> 4)) / SCALE
}

function fillSchedule(block: number): void {
  for (let word = 0; word < 16; word++) schedule[word] = view.getInt32(block + word * 4)
  for (let word = 16; word < 80; word++) {
    const mixed =
      (schedule[word - 3] as number) ^
      (schedule[word - 8] as number) ^
      (schedule[word - 14] as number) ^
      (schedule[word - 16] as number)
    schedule[word] = (mixed << 1) | (mixed >>> 31)
  }
}
