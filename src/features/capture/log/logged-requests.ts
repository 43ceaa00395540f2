import { zstdDecompress, zstdDecompressSync } from "node:zlib"
import type { Awaitable } from "../../../kernel/awaitable.js"
import type { Traced, TraceParent } from "../../../kernel/trace.js"

/** What one request says about all of its events. */
export interface LoggedFacts extends Traced {
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly clientIp: string
  readonly historicalMigration: boolean
}

/** Events that a row of the log has a text of. */
export interface LoggedList {
  readonly eventCount: number
  /** How long the text is. */
  readonly textBytes: number
}

/** A request on its way into a row of the log. */
export interface RequestToLog extends LoggedFacts, LoggedList {
  /** The events as `toLoggedText` writes them, in pieces: put together only once, with those of other requests. */
  readonly text: readonly Buffer[]
  /** The lists that the text consists of, each of which comes back as a request of its own; absent where it is a single one. */
  readonly lists?: readonly LoggedList[]
}

/** A request as a row of the log gives it back. */
export interface RequestFromLog extends LoggedFacts {
  /** For `readLoggedText`. */
  readonly text: string
}

/**
 * What the first line of a row says of each request. `eventCount` is for whoever looks into a row by hand: no code reads it,
 * since the sum for a row is a column. It stays because rows of this form wait in logs, and migration 0018 writes them.
 * Only a request that is traced has a sixth entry.
 */
type HeadEntry = readonly [
  receivedAtMs: number,
  clientIp: string,
  historicalMigration: boolean,
  eventCount: number,
  textBytes: number,
  ...trace: [] | [TraceParent],
]

/**
 * Form of a row of the ingest log, a column of it. It is raised when a release of before would misread a row: that one leaves
 * it to a release which knows the form (decision 0097).
 */
export const LOG_ROW_FORMAT = 1

const NOT_TRACED = [] as const
/** The first bytes of everything that zstd has compressed; a row that is not compressed begins with `[`. */
const ZSTD_MAGIC = 0xfd_2f_b5_28
const ZSTD_MAGIC_BYTES = 4
const LINE_FEED = 0x0a
/** Some eighty events. What is shorter is written sooner than it is compressed, and a commit may hold rows of many projects. */
const MIN_COMPRESSED_BYTES = 48 * 1024
/** This much is unpacked in a fraction of a millisecond; more is unpacked beside the event loop. */
const MAX_UNPACKED_AT_ONCE_BYTES = 512 * 1024

/** A row of the ingest log without the numbers that are columns of their own. */
export interface PackedRequests {
  readonly bytes: Buffer
  /** How many bytes it is once unpacked. */
  readonly byteCount: number
}

/** Answers the zstd frame of all `pieces`, one after the other; they are `byteCount` bytes together. */
export type Compress = (pieces: readonly Buffer[], byteCount: number) => Promise<Buffer>

/**
 * Makes a row of the ingest log from some requests: a line of JSON that says what each of them is, then their texts one after
 * the other, compressed when that is worth it. Migration 0018 writes the same form.
 */
export function packRequests(requests: readonly RequestToLog[], compress: Compress): Awaitable<PackedRequests> {
  const head = requests.flatMap(({ receivedAtMs, clientIp, historicalMigration, trace, ...request }) =>
    (request.lists ?? [request]).map(
      ({ eventCount, textBytes }): HeadEntry => [
        receivedAtMs,
        clientIp,
        historicalMigration,
        eventCount,
        textBytes,
        ...(trace == null ? NOT_TRACED : ([trace] as const)),
      ],
    ),
  )
  const pieces = [Buffer.from(`${JSON.stringify(head)}\n`), ...requests.flatMap(({ text }) => text)]
  const byteCount = pieces.reduce((sum, { length }) => sum + length, 0)
  if (byteCount < MIN_COMPRESSED_BYTES) return { bytes: Buffer.concat(pieces, byteCount), byteCount }
  return compress(pieces, byteCount).then((bytes) => ({ bytes, byteCount }))
}

/** Reads what `packRequests` made, oldest request first. Rejects for what is no such row, or becomes longer than it says. */
export async function unpackRequests({ bytes, byteCount }: PackedRequests): Promise<RequestFromLog[]> {
  const plain = await unpack(bytes, byteCount)
  const headEnd = plain.indexOf(LINE_FEED)
  const head = JSON.parse(plain.toString("utf8", 0, Math.max(0, headEnd))) as readonly HeadEntry[]
  let offset = headEnd + 1
  return head.map(([receivedAtMs, clientIp, historicalMigration, , textBytes, trace]) => {
    const text = plain.toString("utf8", offset, offset + textBytes)
    offset += textBytes
    return { receivedAtMs, clientIp, historicalMigration, trace, text }
  })
}

function unpack(bytes: Buffer, byteCount: number): Awaitable<Buffer> {
  if (bytes.length < ZSTD_MAGIC_BYTES || bytes.readUInt32LE() !== ZSTD_MAGIC) return bytes
  const limits = { maxOutputLength: byteCount }
  if (byteCount <= MAX_UNPACKED_AT_ONCE_BYTES) return zstdDecompressSync(bytes, { ...limits, chunkSize: byteCount })
  return new Promise((resolve, reject) =>
    zstdDecompress(bytes, limits, (fault, plain) => (fault === null ? resolve(plain) : reject(fault))),
  )
}
