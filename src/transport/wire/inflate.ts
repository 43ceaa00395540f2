import { promisify } from "node:util"
import zlib from "node:zlib"
import type { Awaitable } from "../../kernel/awaitable.js"
import type { AppError } from "../../kernel/errors.js"
import { Semaphore } from "../../kernel/semaphore.js"
import { readSystemCode } from "../../kernel/system-error.js"
import type { Packing } from "./encoding-hint.js"
import { inflatedTooLarge, undecodable } from "./faults.js"

export type Compression = Extract<Packing, "gzip" | "deflate" | "br" | "zstd">

/** Up to these sizes inflating takes under about a millisecond, less than handing the work to a thread and back. */
const MAX_SYNC_WIRE_BYTES = 32 * 1024
const MAX_SYNC_INFLATED_BYTES = 256 * 1024
/** Each chunk is a way to zlib's thread and back. */
const CHUNK_BYTES = 256 * 1024
/** Bodies that are inflated in threads at one time; the others wait, so that bombs cannot fill the memory together. */
const inThreads = new Semaphore(2)

const SYNC = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  deflateRaw: zlib.inflateRawSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
}
const ASYNC = {
  gzip: promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  deflateRaw: promisify(zlib.inflateRaw),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
}

/**
 * Whether bytes begin as every gzip body does, which recognizes bodies of clients that leave out every hint
 * (`docs/contract/sdk-wire.md#sniffed-encodings`).
 */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08

/**
 * Decompresses a body. Small ones at once, larger ones in zlib's threads; the limit counts while inflating.
 * @throws AppError payload_too_large, or malformed_data when the data is damaged; or rejects with it.
 */
export function inflate(packed: Buffer, compression: Compression, maxBytes: number): Awaitable<Buffer> {
  if (packed.length > MAX_SYNC_WIRE_BYTES) return inflateInThread(packed, compression, maxBytes)
  try {
    return SYNC[toAlgorithm(packed, compression)](packed, {
      maxOutputLength: Math.min(MAX_SYNC_INFLATED_BYTES, maxBytes),
    })
  } catch (failure) {
    if (!isTooLong(failure)) throw damaged(compression, failure)
    return inflateInThread(packed, compression, maxBytes)
  }
}

async function inflateInThread(packed: Buffer, compression: Compression, maxBytes: number): Promise<Buffer> {
  const release = await inThreads.acquire()
  try {
    const options = { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES }
    return await ASYNC[toAlgorithm(packed, compression)](packed, options)
  } catch (failure) {
    throw isTooLong(failure) ? inflatedTooLarge(maxBytes) : damaged(compression, failure)
  } finally {
    release()
  }
}

/** Some clients send deflate data without its header (RFC 1950 section 2.2). */
function toAlgorithm(packed: Buffer, compression: Compression): keyof typeof SYNC {
  if (compression !== "deflate") return compression
  const hasHeader = packed.length > 1 && (packed.readUInt8(0) & 0x0f) === 8 && packed.readUInt16BE(0) % 31 === 0
  return hasHeader ? "deflate" : "deflateRaw"
}

const isTooLong = (failure: unknown): boolean => readSystemCode(failure) === "ERR_BUFFER_TOO_LARGE"

const damaged = (compression: Compression, failure: unknown): AppError =>
  undecodable(`the ${compression} data is damaged.`, failure)
