import type { ProjectId } from "../../../kernel/ids.js"
import { continueTraces } from "../../../kernel/trace.js"
import { BatchPersons } from "../../persons/index.js"
import type { Definitions } from "../definitions/definition-catalogue.js"
import type { LoggedRequest, LoggedRowSize } from "../ingestion.types.js"
import { identifyCookielessEvents } from "../reading/cookieless-events.js"
import { RequestScanner, type ScannedRequests } from "../reading/scan-requests.js"
import { toPersonRows } from "../rows/person-rows.js"
import type { BatchCounts, BatchLog, BatchOutcome, IngestBatch } from "./batch.types.js"
import { type BatchAttempt, type BatchDependencies, flushPersons } from "./batch-attempt.js"
import { SubBatch, type SubBatchOutcome } from "./sub-batch.js"

/**
 * A sub-batch ends with the row that reaches either of these. While ClickHouse stores one sub-batch, the next is processed and the
 * one after it is read: they bound memory.
 */
const EVENTS_PER_SUB_BATCH = 10_000
const BYTES_PER_SUB_BATCH = 8 * 1024 * 1024

/**
 * Processes one batch: persons, groups and uuids into PostgreSQL, rows into ClickHouse, then the log rows are removed, all in one
 * transaction of PostgreSQL that commits last. Whatever fails on the way, the next attempt finds the same batch, makes the same
 * rows from the same state and sends them with the same tokens: each event is stored exactly once.
 * @throws AppError store_unavailable when a store cannot be reached; nothing is lost, try again later.
 */
export async function processBatch(
  log: BatchLog,
  batch: IngestBatch,
  dependencies: BatchDependencies,
): Promise<BatchOutcome> {
  const savedDefinitions: Definitions[] = []
  const outcome = await log.transaction((transaction) => {
    const persons = new BatchPersons(transaction.persons)
    const { token, number } = batch
    const spares = new Map<ProjectId, readonly string[]>()
    return processInTransaction(batch, { transaction, token, number, dependencies, persons, savedDefinitions, spares })
  })
  for (const committed of savedDefinitions) dependencies.definitions.remember(committed)
  return outcome
}

async function processInTransaction(batch: IngestBatch, attempt: BatchAttempt): Promise<BatchOutcome> {
  const { transaction } = attempt
  const scanner = new RequestScanner()
  const outcomes: SubBatchOutcome[] = []
  const projectIds = new Set<ProjectId>()
  const subBatches = splitIntoSubBatches(await transaction.listRows(batch))
  const read = async (index: number): Promise<LoggedRequest[]> => {
    const rowIds = subBatches[index]
    return rowIds === undefined ? [] : transaction.readRequests(rowIds)
  }
  let scanning: Promise<ScannedRequests> = scanner.scan(await read(0))
  const prepare = async (index: number): Promise<SubBatch> => {
    const { requests, events } = await scanning
    for (const { projectId } of requests) projectIds.add(projectId)
    const duplicates = await transaction.insertUuids(events)
    const identified = await identifyCookielessEvents(transaction.visitors, events, duplicates)
    scanning = awaitedLater(scanner.scan(await read(index + 1)))
    const rowIds = subBatches[index]
    // All that is still needed of these rows is in memory, and if the batch fails they were never removed.
    if (rowIds !== undefined) await transaction.removeRows(rowIds)
    return new SubBatch(attempt, { requests, events: identified }, duplicates)
  }
  let storing: Promise<unknown> = Promise.resolve()
  let copying: Promise<unknown> = Promise.resolve()
  try {
    let subBatch = await prepare(0)
    for (const index of subBatches.keys()) {
      // While the events of this sub-batch are processed, PostgreSQL works for the next one and reads the one after it.
      const prepareNext = once(() => prepare(index + 1))
      const current = subBatch
      const neighbours = { prepareNext, previousStored: () => storing, isOnly: subBatches.length === 1 }
      await continueTraces(...current.toSpan("process events"), () => current.process(neighbours))
      await storing
      const stored = continueTraces(...current.toSpan("store events"), () => current.store())
      storing = awaitedLater(stored.then((outcome) => outcomes.push(outcome)))
      subBatch = await prepareNext()
    }
    const changes = await flushPersons(attempt)
    copying = awaitedLater(attempt.dependencies.sink.write(batch.token, toPersonRows(changes), []))
  } finally {
    // Also after a failure: no insert of this attempt may still run beside the next one.
    await Promise.allSettled([storing, copying])
  }
  await storing
  await copying
  await transaction.saveDeadLetters([...scanner.deadLetters, ...outcomes.flatMap(({ deadLetters }) => deadLetters)])
  await transaction.saveWarnings(outcomes.flatMap(({ warnings }) => warnings))
  const counts: BatchCounts = {
    stored: sum(outcomes.map(({ storedCount }) => storedCount)),
    dropped:
      sum(outcomes.map(({ droppedCount }) => droppedCount)) + scanner.duplicateCount + scanner.deadLetters.length,
  }
  // Last, so that no event of this batch has a column that would not be its property's if the batch failed.
  await transaction.giveSpares(attempt.dependencies.spares.takeEarned(attempt.spares.keys()))
  await transaction.finish(batch, counts)
  return { ...counts, projectIds }
}

function once<T>(start: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  return () => {
    result ??= awaitedLater(start())
    return result
  }
}

/** Keeps a failure from counting as an unhandled rejection until somebody awaits the promise, who still learns of it. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/** Ids of whole rows for each sub-batch; split at the same rows at every replay. */
function splitIntoSubBatches(rows: readonly LoggedRowSize[]): string[][] {
  const subBatches: string[][] = []
  let size = { events: EVENTS_PER_SUB_BATCH, bytes: 0 }
  for (const { rowId, eventCount, bytes } of rows) {
    if (size.events >= EVENTS_PER_SUB_BATCH || size.bytes >= BYTES_PER_SUB_BATCH) {
      subBatches.push([])
      size = { events: 0, bytes: 0 }
    }
    subBatches.at(-1)?.push(rowId)
    size = { events: size.events + eventCount, bytes: size.bytes + bytes }
  }
  return subBatches
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
