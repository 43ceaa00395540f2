import { crc32, deflateSync } from "node:zlib"

/** Pixels as red, green, blue and opacity, a byte each, row by row. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MOST_COLORS = 256
const DEPTH = 8
const BY_PALETTE = 3

/**
 * An opaque picture as PNG of at most 256 colours, a third as large as one of all colours. Shades are rounded until they are that
 * few, which changes what letters have at their edges, by less than a comparison tolerates.
 */
export function writePalettePng({ width, height, data }: Pixels): Buffer {
  let step = 4
  let colors = new Map<number, number>()
  const round = (value = 0): number => Math.min(255, Math.round(value / step) * step)
  const toColor = (at: number): number => (round(data[at]) << 16) | (round(data[at + 1]) << 8) | round(data[at + 2])
  do {
    step *= 2
    const found = new Set<number>()
    for (let at = 0; at < data.length; at += 4) found.add(toColor(at))
    colors = new Map([...found].map((color, index) => [color, index]))
  } while (colors.size > MOST_COLORS)

  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([DEPTH, BY_PALETTE], 8)
  const palette = Buffer.from([...colors.keys()].flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))
  // Each row begins with the number of its filter, of which flat areas need none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = colors.get(toColor((y * width + x) * 4)) ?? 0
  const parts = { IHDR: size, PLTE: palette, IDAT: deflateSync(rows, { level: 9 }), IEND: Buffer.alloc(0) }
  return Buffer.concat([SIGNATURE, ...Object.entries(parts).map(([name, content]) => writeChunk(name, content))])
}

function writeChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
