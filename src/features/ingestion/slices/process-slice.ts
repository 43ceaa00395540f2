import { SlicePersons } from "../../persons/index.js"
import type { Definitions } from "../definitions/definition-catalogue.js"
import type { LoggedRequest, LoggedRowSize } from "../ingestion.types.js"
import { identifyHeads } from "../reading/identify-heads.js"
import { type ReadPart, RequestReader } from "../reading/read-requests.js"
import { toPersonRows } from "../rows/person-rows.js"
import type { Slice, SliceCounts, SliceLog, SliceTransaction } from "./slice.types.js"
import { type PartOutcome, SlicePart } from "./slice-part.js"
import { type SliceRun, type SliceWork, settled } from "./slice-run.js"

/**
 * A part ends with the row that reaches either of these. While ClickHouse stores one part of a slice, the next is worked
 * out and the one after it is read: they bound memory.
 */
const EVENTS_PER_PART = 10_000
const BYTES_PER_PART = 8 * 1024 * 1024

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
  const persons = new SlicePersons(transaction.persons)
  const run: SliceRun = { transaction, token: slice.token, work, persons, names }
  const reader = new RequestReader()
  const outcomes: PartOutcome[] = []
  const parts = cutIntoParts(await transaction.listRows(slice))
  const read = async (index: number): Promise<LoggedRequest[]> => {
    const rowIds = parts[index]
    return rowIds === undefined ? [] : transaction.readRequests(rowIds)
  }
  let reading: Promise<ReadPart> = reader.read(await read(0))
  const prepare = async (index: number): Promise<SlicePart> => {
    const part = await reading
    const known = await transaction.keepUuids(part.heads)
    const heads = await identifyHeads(transaction.visitors, part.heads, known)
    reading = expected(reader.read(await read(index + 1)))
    const rowIds = parts[index]
    // All that is still needed of these rows is in memory, and if the slice fails they were never removed.
    if (rowIds !== undefined) await transaction.removeRows(rowIds)
    return new SlicePart(run, { ...part, heads }, known)
  }
  let storing: Promise<unknown> = Promise.resolve()
  let copying: Promise<unknown> = Promise.resolve()
  try {
    let part = await prepare(0)
    for (const index of parts.keys()) {
      // While the events of this part are worked out, PostgreSQL is at work on the next one and hands out the one after it.
      const next = once(() => prepare(index + 1))
      await part.workOut(next, () => storing, parts.length === 1)
      await storing
      storing = expected(part.store().then((outcome) => outcomes.push(outcome)))
      part = await next()
    }
    const changes = await settled(run, await persons.settle())
    copying = expected(work.sink.write(slice.token, toPersonRows(changes), []))
  } finally {
    // Also after a failure: no insert of this try may still run beside the next one.
    await Promise.allSettled([storing, copying])
  }
  await storing
  await copying
  await transaction.saveDeadLetters([...reader.deadLetters, ...outcomes.flatMap(({ deadLetters }) => deadLetters)])
  await transaction.saveWarnings(outcomes.flatMap(({ warnings }) => warnings))
  const counts = {
    stored: sum(outcomes.map(({ storedCount }) => storedCount)),
    dropped: sum(outcomes.map(({ droppedCount }) => droppedCount)) + reader.duplicateCount + reader.deadLetters.length,
  }
  await transaction.finish(slice, counts)
  return counts
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  return () => {
    result ??= expected(work())
    return result
  }
}

/** Keeps a failure from counting as an unhandled rejection; whoever waits for the promise later still learns of it. */
function expected<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** Whole rows, as many as make a part; the same cuts at every replay. */
function cutIntoParts(rows: readonly LoggedRowSize[]): string[][] {
  const parts: string[][] = []
  let size = { events: EVENTS_PER_PART, bytes: 0 }
  for (const { rowId, eventCount, bytes } of rows) {
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
