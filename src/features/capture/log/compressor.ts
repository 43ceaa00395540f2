import { promisify } from "node:util"
import { constants, createZstdCompress, type ZstdCompress, zstdCompress } from "node:zlib"
import { Semaphore } from "../../../kernel/semaphore.js"

const compressAlone = promisify(zstdCompress)

/** Longer texts take some milliseconds and are compressed on their own, so that nobody waits for them. */
const LONG_BYTES = 2 * 1024 * 1024
/** libuv has as many threads, unless configured otherwise; more streams would wait for each other. */
const MAX_STREAMS = 4
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const STREAM_OPTIONS = {
  ...FASTEST,
  // A frame comes in one piece mostly: each piece is a way there and back between threads.
  chunkSize: 256 * 1024,
  // Every write is a frame. Writing and then flushing would be two ways to the thread and back.
  flush: constants.ZSTD_e_end,
  // More than a frame of the longest text takes: the stream never waits to be read.
  readableHighWaterMark: 2 * LONG_BYTES,
}

/** A zstd stream with the memory that a text is put together in. */
interface PooledStream {
  readonly zstd: ZstdCompress
  readonly buffer: Buffer
}

/**
 * Compresses texts to zstd frames in a pool of streams, beside the event loop. Streams are reused, because what belongs to
 * one (a mebibyte outside the heap, which the garbage collector counts as pressure) takes longer to make and to collect than a
 * hundred events take to be compressed. So is the memory that a text is put together in: fresh for every row it was a third of
 * what made V8 collect the whole heap several times a second (decision 0035).
 *
 * Where a frame ends with the stream's output buffer, an empty frame follows it: the stream cannot know that nothing is left
 * and asks zstd once more.
 */
export class Compressor {
  private readonly idle: PooledStream[] = []
  private readonly permits = new Semaphore(MAX_STREAMS)

  /**
   * Answers the frame of all `pieces` in a row, which are `byteCount` bytes together. Rejects when zstd fails; the next text has
   * a new stream.
   */
  async compress(pieces: readonly Buffer[], byteCount: number): Promise<Buffer> {
    if (byteCount > LONG_BYTES) return compressAlone(Buffer.concat(pieces, byteCount), FASTEST)
    const release = await this.permits.acquire()
    const stream = this.idle.pop() ?? createStream()
    try {
      const frame = await toFrame(stream.zstd, joinInto(stream.buffer, pieces))
      this.idle.push(stream)
      return frame
    } catch (fault) {
      stream.zstd.destroy()
      throw fault
    } finally {
      release()
    }
  }
}

const createStream = (): PooledStream => ({
  zstd: createZstdCompress(STREAM_OPTIONS),
  buffer: Buffer.allocUnsafeSlow(LONG_BYTES),
})

function joinInto(buffer: Buffer, pieces: readonly Buffer[]): Buffer {
  let length = 0
  for (const piece of pieces) length += piece.copy(buffer, length)
  return buffer.subarray(0, length)
}

/** The whole frame stands in the stream to be read before its write is called done. */
function toFrame(stream: ZstdCompress, text: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject)
    stream.write(text, (fault) => {
      // The stream tells of a fault here and in its event; without a listener the latter would end the process.
      if (fault) return reject(fault)
      stream.off("error", reject)
      const frame = stream.read() as Buffer | null
      if (frame === null) reject(new Error("zstd made nothing of a text"))
      else resolve(frame)
    })
  })
}
