import { inflatedTooLarge, undecodable } from "./faults.js"

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const SEXTET_BITS = 6
const SHORT_CHARACTER = 0
const LONG_CHARACTER = 1
const END = 2
const FIRST_FREE_CODE = 3

const SEXTETS = new Int8Array(256).fill(-1)
for (let value = 0; value < ALPHABET.length; value++) SEXTETS[ALPHABET.charCodeAt(value)] = value

/**
 * Decompresses the base64 form of lz-string, the packing of posthog-js up to 1.57
 * (`docs/contract/sdk-wire.md#encodings`).
 *
 * Every phrase of its dictionary is a stretch of what was already written, so a phrase is kept as start and length and
 * no text is built before the end. `maxChars` (UTF-16 units) bounds the output while it grows: a few kilobytes can
 * stand for gigabytes.
 * @throws AppError payload_too_large, or malformed_data when the data is damaged.
 */
export function decompressLz64(packed: Uint8Array, maxChars: number): string {
  const bits = new BitReader(packed)
  const phraseStarts: number[] = [0, 0, 0]
  const phraseLengths: number[] = [0, 0, 0]
  const output = new CharacterBuffer(maxChars)
  let codeBits = 2
  let codesLeft = 1
  let previousStart = -1
  const useUpCode = (): void => {
    codesLeft--
    if (codesLeft > 0) return
    codesLeft = 2 ** codeBits
    codeBits++
  }
  for (;;) {
    const code = bits.read(codeBits)
    if (code === END) return output.toText()
    const start = output.length
    const isLiteral = code === SHORT_CHARACTER || code === LONG_CHARACTER
    if (isLiteral) {
      output.push(bits.read(code === SHORT_CHARACTER ? 8 : 16))
      phraseStarts.push(start)
      phraseLengths.push(1)
    } else if (previousStart >= 0 && code === phraseStarts.length) {
      output.repeat(previousStart, start - previousStart + 1)
    } else if (code >= FIRST_FREE_CODE && code < phraseStarts.length) {
      output.repeat(phraseStarts[code] ?? 0, phraseLengths[code] ?? 0)
    } else throw undecodable("the lz64 data is damaged.")
    if (previousStart < 0) {
      codesLeft = 4
      codeBits = 3
    } else {
      if (isLiteral) useUpCode()
      phraseStarts.push(previousStart)
      phraseLengths.push(start - previousStart + 1)
      useUpCode()
    }
    previousStart = start
  }
}

/** Reads numbers, lowest bit first, from sextets, highest bit first. */
class BitReader {
  private position = 0
  private bit = SEXTET_BITS

  constructor(private readonly packed: Uint8Array) {}

  read(count: number): number {
    let value = 0
    for (let index = 0; index < count; index++) {
      if (this.bit === 0) {
        this.position++
        this.bit = SEXTET_BITS
      }
      this.bit--
      const sextet = SEXTETS[this.packed[this.position] ?? 0] ?? -1
      if (sextet < 0) throw undecodable("the lz64 data ends too early or is not base64.")
      value |= ((sextet >> this.bit) & 1) << index
    }
    return value
  }
}

/** Text that grows by copies of itself. */
class CharacterBuffer {
  length = 0
  private units = new Uint16Array(4096)

  constructor(private readonly maxChars: number) {}

  push(unit: number): void {
    this.reserve(1)
    this.units[this.length++] = unit
  }

  /** The stretch may reach into what is being written, therefore one unit at a time. */
  repeat(start: number, count: number): void {
    this.reserve(count)
    for (let index = 0; index < count; index++) this.units[this.length++] = this.units[start + index] ?? 0
  }

  toText(): string {
    return Buffer.from(this.units.buffer, 0, this.length * 2).toString("utf16le")
  }

  private reserve(count: number): void {
    const needed = this.length + count
    if (needed > this.maxChars) throw inflatedTooLarge(this.maxChars)
    if (needed <= this.units.length) return
    const larger = new Uint16Array(Math.max(needed, 2 * this.units.length))
    larger.set(this.units.subarray(0, this.length))
    this.units = larger
  }
}
