import { DatabaseError, type PoolClient } from "pg"
import type { Clock } from "../../../kernel/clock.js"
import type { CrashPoints } from "../../../kernel/crash-points.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { type PackedRequests, unpackRequests } from "../../capture/index.js"
import { createVisitorStore, type MakeSalts } from "../../cookieless/index.js"
import { createPersonStore, type PersonMergeListener } from "../../persons/index.js"
import { saveDeadLetters } from "../dead-letters/save-dead-letters.store.js"
import { saveDefinitions } from "../definitions/definitions.store.js"
import type { LoggedRequest, LoggedRowSize } from "../ingestion.types.js"
import { toDamagedRowText } from "../reading/dead-letter-text.js"
import { PoisonError } from "../reading/poison-error.js"
import { giveSpares, listSpares } from "../spares/property-spare.store.js"
import { saveWarnings } from "../warnings/warning.store.js"
import type { BatchLog, BatchTransaction, IngestBatch } from "./batch.types.js"
import { BATCH_FORMAT, createBatchClaims } from "./claim-batch.store.js"
import { insertUuids } from "./event-uuid.store.js"

/** Unpacked in a millisecond or two; a sub-batch may have sixteen times as much. */
const UNPACKED_BYTES_PER_YIELD = 512 * 1024
const RETRY_AFTER_SECONDS = 2

/**
 * A batch looks up thousands of keys at once. The planner would rather read a whole table for them as long as it is of middle
 * size, and learns of its growth only from the next statistics.
 */
const LOOK_UP_BY_INDEX = "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off"

/** Refusals of a value, not of the statement or the moment: data exceptions, broken constraints, limits of the program. */
const REFUSED_VALUE = /^(22|23|54)/

export interface BatchLogOptions {
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV4">
  /** Features that keep something by person (cohort members, flag overrides). */
  readonly mergeListeners: readonly PersonMergeListener[]
  readonly makeSalts: MakeSalts
  /** Null in every process that is not made to die. */
  readonly crashPoints: CrashPoints | null
}

/**
 * The ingest log in PostgreSQL, for the owner of a shard.
 * @param client the connection that holds the shard's lock: when it is lost, so is the lock, and no later statement can do harm.
 */
export function createBatchLog(client: PoolClient, options: BatchLogOptions): BatchLog {
  const { crashPoints } = options
  const claimBatch = createBatchClaims(client)
  return {
    claim: (shard) =>
      orTryLater(async () => {
        const batch =
          (await findBatch(client, shard)) ??
          (await inTransaction(client, () => claimBatch(shard, options.ids.uuidV4())))
        if (batch !== null) crashPoints?.hit("after-claim")
        return batch
      }),
    transaction: (work) =>
      orTryLater(async () => {
        const result = await inTransaction(client, async () => {
          await client.query(LOOK_UP_BY_INDEX)
          return work(openTransaction(client, options))
        })
        crashPoints?.hit("after-commit")
        return result
      }),
  }
}

async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN")
  try {
    const result = await work()
    await client.query("COMMIT")
    return result
  } catch (error) {
    // On a lost connection there is nothing to roll back any more.
    await client.query("ROLLBACK").catch(() => undefined)
    throw error
  }
}

/**
 * The table has the name that batches had in an earlier release: its processes may still be running beside this one.
 * @throws AppError store_unavailable when a later release began the batch, which only that one can store as it would have.
 */
async function findBatch(client: PoolClient, shard: number): Promise<IngestBatch | null> {
  const sql = `SELECT shard, token, number::float8 AS number, row_ids AS "rowIds", format FROM ingest_slice WHERE shard = $1`
  const [found] = (await client.query<IngestBatch & { readonly format: number }>(sql, [shard])).rows
  if (found === undefined) return null
  const { format, ...batch } = found
  if (format <= BATCH_FORMAT) return batch
  const detail = `A later release began a batch of shard ${shard}: a process of that one has to finish it.`
  throw new AppError("store_unavailable", { detail, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

function openTransaction(
  client: PoolClient,
  { clock, mergeListeners, makeSalts, crashPoints }: BatchLogOptions,
): BatchTransaction {
  const persons = createPersonStore(client)
  return {
    persons: {
      load: persons.load,
      save: async (changes) => {
        crashPoints?.hit("before-person-save")
        await persons.save(changes)
        crashPoints?.hit("after-person-save")
      },
    },
    visitors: createVisitorStore(client, makeSalts),
    listRows: (batch) => listRows(client, batch),
    readRequests: (rowIds) => readRequests(client, rowIds),
    insertUuids: (events) => insertUuids(client, events, clock.now()),
    saveDefinitions: (definitions) => saveDefinitions(client, definitions, clock.now()),
    listSpares: (projectIds) => listSpares(client, projectIds),
    giveSpares: async (earned) => {
      for (const [projectId, names] of earned) await giveSpares(client, projectId, names, clock.now())
    },
    saveWarnings: (warnings) => saveWarnings(client, warnings, clock.now()),
    notifyMerged: async (merges) => {
      if (merges.length > 0) for (const listener of mergeListeners) await listener(client, merges)
    },
    saveDeadLetters: (letters) => saveDeadLetters(client, letters),
    attempt: (work) => attempt(client, work),
    removeRows: async (rowIds) => {
      crashPoints?.hit("before-delete")
      await client.query("DELETE FROM ingest_log WHERE id = ANY ($1::bigint[])", [rowIds])
    },
    finish: async ({ shard, number }, { stored, dropped }) => {
      await client.query("DELETE FROM ingest_slice WHERE shard = $1", [shard])
      await client.query(
        `INSERT INTO ingest_progress AS progress (shard, stored, dropped, last_batch) VALUES ($1, $2, $3, $4)
         ON CONFLICT (shard) DO UPDATE
           SET stored = progress.stored + excluded.stored, dropped = progress.dropped + excluded.dropped,
               last_batch = excluded.last_batch`,
        [shard, stored, dropped, number],
      )
      crashPoints?.hit("before-commit")
    },
  }
}

async function listRows(client: PoolClient, batch: IngestBatch): Promise<LoggedRowSize[]> {
  const { rows } = await client.query<LoggedRowSize>(
    `SELECT id AS "rowId", event_count AS "eventCount", byte_count AS bytes
       FROM ingest_log WHERE id = ANY ($1::bigint[]) ORDER BY id`,
    [batch.rowIds],
  )
  return rows
}

async function readRequests(client: PoolClient, rowIds: readonly string[]): Promise<LoggedRequest[]> {
  const { rows } = await client.query<LoggedRow>(
    `SELECT project_id AS "projectId", (extract(epoch FROM received_at) * 1000)::float8 AS "receivedAtMs",
            byte_count AS "byteCount", requests AS bytes
       FROM ingest_log WHERE id = ANY ($1::bigint[]) ORDER BY id`,
    [rowIds],
  )
  const requests: LoggedRequest[] = []
  const budget = new YieldBudget(UNPACKED_BYTES_PER_YIELD)
  for (const row of rows) {
    requests.push(...(await unpack(row)))
    if (budget.spend(row.byteCount)) await yieldToEventLoop()
  }
  return requests
}

interface LoggedRow extends PackedRequests {
  readonly projectId: ProjectId
  readonly receivedAtMs: number
}

/** The requests of a row; one that was damaged comes as a request that cannot be read either, and so to the dead letters. */
async function unpack({ projectId, receivedAtMs, ...packed }: LoggedRow): Promise<LoggedRequest[]> {
  try {
    const requests = await unpackRequests(packed)
    return requests.map(({ text, ...facts }) => ({ ...facts, projectId, eventsJson: text }))
  } catch {
    const eventsJson = toDamagedRowText(packed.bytes)
    return [{ projectId, receivedAtMs, clientIp: "", historicalMigration: false, eventsJson }]
  }
}

async function attempt<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("SAVEPOINT attempt")
  try {
    const result = await work()
    await client.query("RELEASE SAVEPOINT attempt")
    return result
  } catch (error) {
    const poison = isRefusedValue(error) ? new PoisonError(error) : error
    // Released as well: what follows would otherwise be written by a subtransaction, and `insertUuids` tells own rows by
    // the whole one.
    if (poison instanceof PoisonError) await client.query("ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt")
    throw poison
  }
}

const isRefusedValue = (error: unknown): boolean =>
  error instanceof DatabaseError && REFUSED_VALUE.test(error.code ?? "")

/**
 * Whatever a batch fails with is transient: a lost connection, a deadlock, a restart. The batch stays as it is.
 * @throws AppError store_unavailable in place of anything else.
 */
async function orTryLater<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
  }
}
