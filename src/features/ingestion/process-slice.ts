import type { GeoIp } from "../persons/index.js"
import type { GeoIpPlugin } from "../plugins/index.js"
import type { DefinitionCatalogue, Definitions } from "./definitions/definition-catalogue.js"
import type { LoggedRequestSize } from "./ingestion.types.js"
import { type ReadPart, RequestReader } from "./read-requests.js"
import type { Slice, SliceCounts, SliceLog, SliceTransaction } from "./slice.types.js"
import { type PartOutcome, SlicePart } from "./slice-part.js"
import type { SliceSink } from "./slice-sink.types.js"
import type { SnapshotSink } from "./snapshot-sink.types.js"

/**
 * A part ends with the request that reaches either of these. While ClickHouse stores one part of a slice, the next is worked
 * out and the one after it is read: they bound memory.
 */
const EVENTS_PER_PART = 10_000
const BYTES_PER_PART = 8 * 1024 * 1024

export interface SliceWork {
  readonly sink: SliceSink
  /** Null when no GeoIP file is configured. */
  readonly geoIp: GeoIp | null
  /** Tells which projects have it switched off. */
  readonly geoIpPlugin: GeoIpPlugin
  readonly definitions: DefinitionCatalogue
  readonly snapshots: SnapshotSink
}

/**
 * Works on one slice: persons, groups and uuids into PostgreSQL, rows into ClickHouse, then the log rows are removed, all in one
 * transaction of PostgreSQL that commits last. Whatever fails on the way, the next try finds the same slice, works out the
 * same rows from the same state and sends them with the same tokens: each event is stored exactly once.
 * @throws AppError store_unavailable when a store cannot be reached; nothing is lost, try again later.
 */
export async function processSlice(log: SliceLog, slice: Slice, work: SliceWork): Promise<SliceCounts> {
  const names: Definitions[] = []
  const counts = await log.transaction((transaction) => processIn(transaction, slice, work, names))
  for (const committed of names) work.definitions.remember(committed)
  return counts
}

async function processIn(
  transaction: SliceTransaction,
  slice: Slice,
  work: SliceWork,
  names: Definitions[],
): Promise<SliceCounts> {
  const reader = new RequestReader()
  const outcomes: PartOutcome[] = []
  const parts = cutIntoParts(await transaction.listRequests(slice))
  let reading: Promise<ReadPart> = reader.read(await transaction.readRequests(parts[0] ?? []))
  let storing: Promise<unknown> = Promise.resolve()
  try {
    for (const index of parts.keys()) {
      const part = new SlicePart(transaction, slice.token, work, names, await reading)
      const nextRowIds = parts[index + 1]
      // Looked through while PostgreSQL is at work on this part; a connection takes one statement at a time.
      if (nextRowIds !== undefined) reading = expected(reader.read(await transaction.readRequests(nextRowIds)))
      await part.workOut()
      await storing
      storing = expected(part.store().then((outcome) => outcomes.push(outcome)))
    }
  } finally {
    // Also when the slice has failed: the next try must not meet an insert of this one.
    await storing
  }
  await transaction.saveDeadLetters([...reader.deadLetters, ...outcomes.flatMap(({ deadLetters }) => deadLetters)])
  await transaction.saveWarnings(outcomes.flatMap(({ warnings }) => warnings))
  const counts = {
    stored: sum(outcomes.map(({ storedCount }) => storedCount)),
    dropped: sum(outcomes.map(({ droppedCount }) => droppedCount)) + reader.duplicateCount + reader.deadLetters.length,
  }
  await transaction.finish(slice, counts)
  return counts
}

/** Whoever waits for it later learns of a failure; until then it is nobody's unhandled rejection. */
function expected<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** Whole requests, as many as make a part; the same cuts at every replay. */
function cutIntoParts(requests: readonly LoggedRequestSize[]): string[][] {
  const parts: string[][] = []
  let size = { events: EVENTS_PER_PART, bytes: 0 }
  for (const { rowId, eventCount, bytes } of requests) {
    if (size.events >= EVENTS_PER_PART || size.bytes >= BYTES_PER_PART) {
      parts.push([])
      size = { events: 0, bytes: 0 }
    }
    parts.at(-1)?.push(rowId)
    size = { events: size.events + eventCount, bytes: size.bytes + bytes }
  }
  return parts
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
