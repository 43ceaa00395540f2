import { constants, createZstdCompress, type ZstdCompress } from "node:zlib"

const FASTEST = 1

/**
 * Compresses texts one after the other in one stream of zstd, each to a frame of its own. One stream for all, because what
 * belongs to one (a mebibyte outside the heap, which the garbage collector counts as pressure) takes longer to make and to
 * collect than a hundred events take to be compressed; and it works beside the event loop.
 */
export class Compressor {
  private stream: ZstdCompress | null = null
  private last: Promise<unknown> = Promise.resolve()

  /** Rejects when zstd fails; the next text begins a new stream. */
  compress(text: Buffer): Promise<Buffer> {
    const compressed = this.last.then(() => this.toFrame(text))
    this.last = compressed.catch(() => undefined)
    return compressed
  }

  private toFrame(text: Buffer): Promise<Buffer> {
    this.stream ??= createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: FASTEST } })
    const { stream } = this
    const pieces: Buffer[] = []
    return new Promise((resolve, reject) => {
      const onPiece = (piece: Buffer): void => void pieces.push(piece)
      const onFault = (fault: Error): void => {
        this.stream = null
        reject(fault)
      }
      stream.on("data", onPiece).once("error", onFault)
      stream.write(text)
      stream.flush(constants.ZSTD_e_end, () => {
        stream.off("data", onPiece).off("error", onFault)
        resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces))
      })
    })
  }
}
