import { constants, createZstdCompress, type ZstdCompress } from "node:zlib"

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** What takes some milliseconds; shorter texts do not wait for it. */
const LONG_BYTES = 2 * 1024 * 1024

/**
 * Compresses texts one after the other in one stream of zstd, each to a frame of its own. One stream for all, because what
 * belongs to one (a mebibyte outside the heap, which the garbage collector counts as pressure) takes longer to make and to
 * collect than a hundred events take to be compressed; and it works beside the event loop.
 *
 * Where a frame ends with the stream's output buffer, which one in some 16,000 does, an empty frame follows it: the stream
 * cannot know that nothing is left and asks zstd once more.
 */
export class Compressor {
  private stream: ZstdCompress | null = null
  private last: Promise<unknown> = Promise.resolve()

  /** Rejects when zstd fails; the next text begins a new stream. */
  compress(text: Buffer): Promise<Buffer> {
    if (text.length > LONG_BYTES) return toFrameAlone(text)
    const compressed = this.last.then(() => {
      this.stream ??= createZstdCompress(FASTEST)
      return toFrame(this.stream, text)
    })
    this.last = compressed.catch(() => {
      this.stream = null
    })
    return compressed
  }
}

async function toFrameAlone(text: Buffer): Promise<Buffer> {
  const stream = createZstdCompress(FASTEST)
  try {
    return await toFrame(stream, text)
  } finally {
    stream.destroy()
  }
}

function toFrame(stream: ZstdCompress, text: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = []
  return new Promise((resolve, reject) => {
    const onPiece = (piece: Buffer): void => void pieces.push(piece)
    stream.on("data", onPiece).once("error", reject)
    stream.write(text)
    stream.flush(constants.ZSTD_e_end, () => {
      stream.off("data", onPiece).off("error", reject)
      resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces))
    })
  })
}
