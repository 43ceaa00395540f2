import zlib from "node:zlib"

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
const MEBIBYTE = 1024 * 1024

export interface GzipBomb {
  readonly mebibytes: number
  /** What every byte is. */
  readonly byte: number
  /** What the trailer says of the size; the truth when absent. */
  readonly declaredBytes?: number
}

/**
 * A gzip body that inflates to very much: one deflated mebibyte again and again, so that nobody has to deflate it all. Its
 * checksum is wrong, which only who inflates it to the end could see.
 */
export function gzipBomb({ mebibytes, byte, declaredBytes = mebibytes * MEBIBYTE }: GzipBomb): Buffer {
  const one = zlib.deflateRawSync(Buffer.alloc(MEBIBYTE, byte), { finishFlush: zlib.constants.Z_FULL_FLUSH, level: 9 })
  const end = zlib.deflateRawSync(Buffer.alloc(0))
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(declaredBytes % 2 ** 32, 4)
  return Buffer.concat([GZIP_HEADER, ...Array<Buffer>(mebibytes).fill(one), end, trailer])
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
/** Each phrase repeats the one before with one more character, so this many stand for half their square. */
const PHRASES = 60_000

/** An lz-string base64 text of about 0.2 MB that expands to 1.8 billion spaces. */
export function lz64Bomb(): string {
  const bits: number[] = []
  const write = (value: number, count: number): void => {
    for (let index = 0; index < count; index++) bits.push((value >> index) & 1)
  }
  write(0, 2)
  write(" ".charCodeAt(0), 8)
  let codeBits = 3
  let codesLeft = 4
  for (let phrase = 0; phrase < PHRASES; phrase++) {
    write(4 + phrase, codeBits)
    codesLeft--
    if (codesLeft === 0) {
      codesLeft = 2 ** codeBits
      codeBits++
    }
  }
  write(2, codeBits)
  while (bits.length % 6 !== 0) bits.push(0)
  let text = ""
  for (let at = 0; at < bits.length; at += 6)
    text += BASE64[bits.slice(at, at + 6).reduce((sextet, bit) => sextet * 2 + bit, 0)]
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=")
}
