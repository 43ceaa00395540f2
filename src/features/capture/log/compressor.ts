import { promisify } from "node:util"
import { constants, createZstdCompress, type ZstdCompress, zstdCompress } from "node:zlib"

const compressAlone = promisify(zstdCompress)

/** Longer texts take some milliseconds and are compressed on their own, so that nobody waits for them. */
const LONG_BYTES = 2 * 1024 * 1024
/** libuv has as many threads, unless told otherwise; more streams would wait for each other. */
const MAX_LANES = 4
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const LANE = {
  ...FASTEST,
  // A frame comes in one piece mostly: each piece is a way there and back between threads.
  chunkSize: 256 * 1024,
  // Every write is a frame. Writing and then flushing would be two ways to the thread and back.
  flush: constants.ZSTD_e_end,
  // More than a frame of the longest text takes: the stream never waits to be read.
  readableHighWaterMark: 2 * LONG_BYTES,
}

/** A stream, and the place where the text stands while it works on it. */
interface Lane {
  readonly stream: ZstdCompress
  readonly text: Buffer
}

/**
 * Compresses texts to frames of zstd, several at a time and beside the event loop. Streams are kept, because what belongs to
 * one (a mebibyte outside the heap, which the garbage collector counts as pressure) takes longer to make and to collect than a
 * hundred events take to be compressed. So is the memory that a text is put together in: fresh for every row it was a third of
 * what made V8 collect the whole heap several times a second (decision 0035).
 *
 * Where a frame ends with the stream's output buffer, an empty frame follows it: the stream cannot know that nothing is left
 * and asks zstd once more.
 */
export class Compressor {
  private readonly idle: Lane[] = []
  private laneCount = 0
  /** Told one by one when there may be a lane for them. */
  private readonly waiting: (() => void)[] = []

  /**
   * Answers the frame of all `pieces` in a row, which are `byteCount` bytes together. Rejects when zstd fails; the next text has
   * a new stream.
   */
  async compress(pieces: readonly Buffer[], byteCount: number): Promise<Buffer> {
    if (byteCount > LONG_BYTES) return compressAlone(Buffer.concat(pieces, byteCount), FASTEST)
    const lane = await this.takeLane()
    try {
      const frame = await toFrame(lane.stream, joinIn(lane.text, pieces))
      this.release(lane)
      return frame
    } catch (fault) {
      lane.stream.destroy()
      this.release(null)
      throw fault
    }
  }

  private async takeLane(): Promise<Lane> {
    while (this.idle.length === 0 && this.laneCount >= MAX_LANES)
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    const idle = this.idle.pop()
    if (idle !== undefined) return idle
    const lane = createLane()
    this.laneCount++
    return lane
  }

  /** `null` for a lane that is no more. */
  private release(lane: Lane | null): void {
    if (lane === null) this.laneCount--
    else this.idle.push(lane)
    this.waiting.shift()?.()
  }
}

const createLane = (): Lane => ({ stream: createZstdCompress(LANE), text: Buffer.allocUnsafeSlow(LONG_BYTES) })

function joinIn(place: Buffer, pieces: readonly Buffer[]): Buffer {
  let length = 0
  for (const piece of pieces) length += piece.copy(place, length)
  return place.subarray(0, length)
}

/** What the stream has made of a text stands in it to be read before the write is called done. */
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
