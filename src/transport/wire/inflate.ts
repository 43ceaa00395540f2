import type { Transform } from "node:stream"
import zlib from "node:zlib"
import { concatInTurns } from "../../kernel/concat-in-turns.js"
import { AppError } from "../../kernel/errors.js"
import type { Packing } from "./encoding-hint.js"
import { inflatedTooLarge, undecodable } from "./faults.js"

export type Compression = Extract<Packing, "gzip" | "deflate" | "br" | "zstd">

/** Up to these sizes inflating takes under about a millisecond, less than handing the work to a thread and back. */
const MAX_SYNC_WIRE_BYTES = 32 * 1024
const MAX_SYNC_INFLATED_BYTES = 256 * 1024
const CHUNK_BYTES = 64 * 1024
/** Bodies that are inflated in the background at one time; the others wait, so that bombs cannot fill the memory together. */
const MAX_STREAMS = 2

/** Whether bytes begin as every gzip body does; clients that leave out every hint are told by this (`sdk-wire.md` rule 2). */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08

export interface InflateLimits {
  readonly maxInflatedBytes: number
  /** Sees every chunk before the next one is inflated; whatever it throws ends the work. */
  readonly inspect: (chunk: Uint8Array) => void
}

/**
 * Decompresses a body. Small ones at once, larger ones in zlib's threads; the limit counts while inflating.
 * @throws AppError payload_too_large, malformed_data when the data is damaged, or what `inspect` throws.
 */
export function inflate(packed: Buffer, compression: Compression, limits: InflateLimits): Buffer | Promise<Buffer> {
  if (packed.length > MAX_SYNC_WIRE_BYTES) return inflateInBackground(packed, compression, limits)
  try {
    const maxOutputLength = Math.min(MAX_SYNC_INFLATED_BYTES, limits.maxInflatedBytes)
    const inflated = inflateNow(packed, compression, maxOutputLength)
    limits.inspect(inflated)
    return inflated
  } catch (failure) {
    if (failure instanceof AppError) throw failure
    if (!isLimitFault(failure)) throw undecodable(`the ${compression} data is damaged.`, failure)
    return inflateInBackground(packed, compression, limits)
  }
}

function inflateNow(packed: Buffer, compression: Compression, maxOutputLength: number): Buffer {
  switch (compression) {
    case "gzip":
      return zlib.gunzipSync(packed, { maxOutputLength })
    case "deflate":
      return hasZlibHeader(packed)
        ? zlib.inflateSync(packed, { maxOutputLength })
        : zlib.inflateRawSync(packed, { maxOutputLength })
    case "br":
      return zlib.brotliDecompressSync(packed, { maxOutputLength })
    case "zstd":
      return zlib.zstdDecompressSync(packed, { maxOutputLength })
  }
}

function createInflater(packed: Buffer, compression: Compression): Transform {
  const options = { chunkSize: CHUNK_BYTES }
  switch (compression) {
    case "gzip":
      return zlib.createGunzip(options)
    case "deflate":
      return hasZlibHeader(packed) ? zlib.createInflate(options) : zlib.createInflateRaw(options)
    case "br":
      return zlib.createBrotliDecompress(options)
    case "zstd":
      return zlib.createZstdDecompress(options)
  }
}

async function inflateInBackground(packed: Buffer, compression: Compression, limits: InflateLimits): Promise<Buffer> {
  if (compression === "gzip" && declaredGzipBytes(packed) > limits.maxInflatedBytes)
    throw inflatedTooLarge(limits.maxInflatedBytes)
  await streamPlaces.take()
  const inflater = createInflater(packed, compression)
  try {
    inflater.end(packed)
    const chunks: Buffer[] = []
    let inflatedBytes = 0
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      inflatedBytes += chunk.length
      if (inflatedBytes > limits.maxInflatedBytes) throw inflatedTooLarge(limits.maxInflatedBytes)
      limits.inspect(chunk)
      chunks.push(chunk)
    }
    return await concatInTurns(chunks, inflatedBytes)
  } catch (failure) {
    throw failure instanceof AppError ? failure : undecodable(`the ${compression} data is damaged.`, failure)
  } finally {
    inflater.destroy()
    streamPlaces.giveBack()
  }
}

/** What a gzip body says it inflates to, modulo 4 GiB (RFC 1952 section 2.3.1). An honest bomb needs no further look. */
const declaredGzipBytes = (packed: Buffer): number => (packed.length < 18 ? 0 : packed.readUInt32LE(packed.length - 4))

/** RFC 1950 section 2.2; some clients send deflate data without this header. */
const hasZlibHeader = (bytes: Buffer): boolean =>
  bytes.length > 1 && ((bytes[0] as number) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0

const isLimitFault = (failure: unknown): boolean =>
  typeof failure === "object" && failure !== null && "code" in failure && failure.code === "ERR_BUFFER_TOO_LARGE"

class Places {
  private readonly waiting: (() => void)[] = []

  constructor(private free: number) {}

  take(): Promise<void> {
    if (this.free > 0) {
      this.free--
      return Promise.resolve()
    }
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  giveBack(): void {
    const next = this.waiting.shift()
    if (next === undefined) this.free++
    else next()
  }
}

const streamPlaces = new Places(MAX_STREAMS)
