import type { GeoIp } from "../persons/index.js"
import type { GeoIpPlugin } from "../plugins/index.js"
import type { DefinitionCatalogue, Definitions } from "./definitions/definition-catalogue.js"
import type { LoggedRequestSize } from "./ingestion.types.js"
import { RequestReader } from "./read-requests.js"
import type { Slice, SliceCounts, SliceLog, SliceTransaction } from "./slice.types.js"
import { SlicePart } from "./slice-part.js"
import type { SliceSink } from "./slice-sink.types.js"
import type { SnapshotSink } from "./snapshot-sink.types.js"

/** While ClickHouse stores one part of a slice, the next is worked out. This many events bound memory and statements. */
const EVENTS_PER_PART = 10_000

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
  const parts: SlicePart[] = []
  let storing: Promise<void> = Promise.resolve()
  try {
    for (const rowIds of cutIntoParts(await transaction.listRequests(slice))) {
      const part = new SlicePart(transaction, slice.token, work, names)
      await part.workOut(reader.read(await transaction.readRequests(rowIds)))
      await storing
      storing = part.store()
      // Whoever waits next learns of a failure; until then it is nobody's unhandled rejection.
      storing.catch(() => undefined)
      parts.push(part)
    }
  } finally {
    // Also when the slice has failed: the next try must not meet an insert of this one.
    await storing
  }
  await transaction.saveDeadLetters([...reader.deadLetters, ...parts.flatMap(({ deadLetters }) => deadLetters)])
  await transaction.saveWarnings(parts.flatMap(({ warnings }) => warnings))
  const counts = {
    stored: sum(parts.map(({ storedCount }) => storedCount)),
    dropped: sum(parts.map(({ droppedCount }) => droppedCount)) + reader.duplicateCount + reader.deadLetters.length,
  }
  await transaction.finish(slice, counts)
  return counts
}

/** Whole requests, as many as make a part; the same cuts at every replay. */
function cutIntoParts(requests: readonly LoggedRequestSize[]): string[][] {
  const parts: string[][] = []
  let eventCount = EVENTS_PER_PART
  for (const request of requests) {
    if (eventCount >= EVENTS_PER_PART) {
      parts.push([])
      eventCount = 0
    }
    parts.at(-1)?.push(request.rowId)
    eventCount += request.eventCount
  }
  return parts
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
