import type { Pool, PoolClient } from "pg"
import type { Awaitable } from "../../../kernel/awaitable.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { continueTraces, currentTrace } from "../../../kernel/trace.js"
import type { Logger } from "../../../platform/logger/logger.js"
import { createOutageLog, type OutageLog } from "../../../platform/logger/outage-log.js"
import type { AppendedListener, IngestBatch, IngestLog } from "../capture.types.js"
import { toBytesArray, toIntegerArray, toTimestampArray } from "./binary-array.js"
import { Compressor } from "./compressor.js"
import { GroupCommit, type GroupCommitLimits } from "./group-commit.js"
import { gatherRows, type LogRow } from "./log-rows.js"
import { toLoggedLists, toLoggedText } from "./logged-events.js"
import {
  type Compress,
  LOG_ROW_FORMAT,
  type PackedRequests,
  packRequests,
  type RequestToLog,
} from "./logged-requests.js"

const MIB = 1024 * 1024

/**
 * Large groups go two at a time: the next is sent while the disk is busy with the last. Small ones share a commit, which costs
 * the processor as much as the handling of several single events; some dozens go in halves, larger crowds do not run dry
 * during a commit and gain more from being compressed together (decision 0035).
 */
export const INGEST_LOG_LIMITS: GroupCommitLimits = {
  maxWriters: 2,
  minBytesBeside: 256 * 1024,
  largeGroupBytes: 2 * MIB,
  smallItemBytes: 64 * 1024,
  halved: { minItems: 40, maxItems: 128 },
  maxGroupItems: 5_000,
  maxGroupBytes: 16 * MIB,
  maxWaitingItems: 20_000,
  maxWaitingBytes: 64 * MIB,
}
/** A PostgreSQL that takes longer for one insert is stuck, and clients keep their events better than we do. */
const WRITE_DEADLINE_MS = 5_000
const FAILED_RETRY_AFTER_SECONDS = 2

const INSERT = {
  name: "ingest-log-append",
  // All ids in one row, because pg takes as long for a row as for a good part of an event.
  text: `WITH appended AS (
           INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests, format)
           SELECT *, ${LOG_ROW_FORMAT} FROM unnest($1::int4[], $2::timestamptz[], $3::int4[], $4::int4[], $5::bytea[])
           RETURNING id)
         SELECT string_agg(id::text, ',') AS ids FROM appended`,
}

/** What is kept of a batch until it is committed: its events only as bytes, which the garbage collector need not copy. */
interface Waiting extends RequestToLog {
  readonly projectId: ProjectId
  readonly onCommitted: ((rowId: string) => void) | null
}

export interface PostgresIngestLogOptions {
  readonly pool: Pool
  readonly logger: Logger
  /** Called after every commit with the projects in it, so that ingestion in this process need not poll. */
  readonly onCommitted?: (projectIds: ReadonlySet<ProjectId>) => void
  /** Asked about every batch; what it answers is called in the order of the batches, before whoever appended one is answered. */
  readonly onAppended?: AppendedListener
  readonly limits?: GroupCommitLimits
  /** Counts bytes against the quota of their project and answers the refusal when it is used up; absent where there is none. */
  readonly countBytes?: (projectId: ProjectId, bytes: number) => AppError | null
  /** Milliseconds that one write may take, the wait for a connection not counted. */
  readonly writeDeadlineMs?: number
}

/**
 * The ingest log as a PostgreSQL table: one insert and one commit for all batches that wait, and one row for those of a
 * project (decision 0031).
 */
export class PostgresIngestLog implements IngestLog {
  private readonly commits: GroupCommit<Waiting>
  private readonly outage: OutageLog
  private readonly compressor = new Compressor()
  private readonly compress: Compress = (pieces, byteCount) => this.compressor.compress(pieces, byteCount)

  constructor(private readonly options: PostgresIngestLogOptions) {
    this.outage = createOutageLog(
      options.logger,
      "error",
      "the ingest log cannot be written: events are refused until PostgreSQL takes them",
      "the ingest log can be written again",
    )
    this.commits = new GroupCommit((batches) => this.write(batches), options.limits ?? INGEST_LOG_LIMITS)
  }

  /** @throws AppError rate_limited when the project has used up its minute's bytes; otherwise as `IngestLog` says. */
  append(batch: IngestBatch): Promise<void> {
    if (batch.isLarge) return toLoggedLists(batch.events).then((written) => this.add(batch, written))
    const text = toLoggedText(batch)
    return this.add(batch, { text, textBytes: text.reduce((sum, { length }) => sum + length, 0) })
  }

  private add(batch: IngestBatch, written: Pick<RequestToLog, "text" | "textBytes" | "lists">): Promise<void> {
    const { projectId, receivedAtMs, clientIp, historicalMigration, events } = batch
    const refusal = this.options.countBytes?.(projectId, written.textBytes) ?? null
    if (refusal !== null) return Promise.reject(refusal)
    const onCommitted = this.findListener(batch)
    const waiting = {
      projectId,
      receivedAtMs,
      clientIp,
      historicalMigration,
      trace: currentTrace(),
      eventCount: events.length,
      ...written,
      onCommitted,
    }
    return this.commits.add(waiting, written.textBytes, projectId)
  }

  /** Resolves when every batch that was handed over has its outcome; for shutting down. */
  idle(): Promise<void> {
    return this.commits.idle()
  }

  /**
   * Any failure is reported as not written, even when PostgreSQL may have committed and only its answer was lost: the client
   * sends the events again, and their uuids keep them from being stored twice.
   */
  private async write(batches: readonly Waiting[]): Promise<void> {
    const rows = gatherRows(batches)
    let rowIds: string[]
    try {
      const start = { name: "commit events", attributes: { "waymark.requests": batches.length } }
      rowIds = await continueTraces(batches, start, () => this.insert(rows))
      this.outage.worked()
    } catch (cause) {
      this.outage.failed(cause)
      const detail = "The events could not be written just now. Please retry."
      throw new AppError("store_unavailable", { detail, retryAfterSeconds: FAILED_RETRY_AFTER_SECONDS, cause })
    }
    for (const [index, row] of rows.entries())
      for (const { onCommitted } of row.requests) this.notify(onCommitted, rowIds[index] ?? "")
    this.notify(this.options.onCommitted, new Set(rows.map(({ projectId }) => projectId)))
  }

  /** Who wants to know of the commit of a batch. One that fails misses value; that is no reason to refuse events. */
  private findListener(batch: IngestBatch): Waiting["onCommitted"] {
    try {
      return this.options.onAppended?.(batch) ?? null
    } catch (err) {
      this.options.logger.error("a listener of the ingest log failed before a commit", { err })
      return null
    }
  }

  /** The events are on disk by now: a listener that throws must not make their clients believe that they are not. */
  private notify<Value>(listener: ((value: Value) => void) | null | undefined, value: Value): void {
    try {
      listener?.(value)
    } catch (err) {
      this.options.logger.error("a listener of the ingest log failed after a commit", { err })
    }
  }

  /** Answers the ids of the rows, in their order. */
  private async insert(rows: readonly LogRow<Waiting>[]): Promise<string[]> {
    const columns = await this.toColumns(rows)
    const client = await this.options.pool.connect()
    // A client that loses its connection while it is in use would else end the process; its query rejects as well.
    const onError = (): void => undefined
    client.on("error", onError)
    let isUsable = false
    try {
      const rowIds = await appendRows(client, columns, this.options.writeDeadlineMs ?? WRITE_DEADLINE_MS)
      isUsable = true
      return rowIds
    } finally {
      client.off("error", onError)
      client.release(!isUsable)
    }
  }

  /** All rows at a time; at once when none of them is long enough to be compressed. */
  private pack(rows: readonly LogRow<Waiting>[]): Awaitable<readonly PackedRequests[]> {
    const packing = rows.map(({ requests }) => packRequests(requests, this.compress))
    return packing.some((made) => made instanceof Promise) ? Promise.all(packing) : (packing as PackedRequests[])
  }

  private async toColumns(rows: readonly LogRow<Waiting>[]): Promise<Buffer[]> {
    const packed = await this.pack(rows)
    return [
      toIntegerArray(rows.map(({ projectId }) => projectId)),
      toTimestampArray(rows.map(({ requests }) => Math.min(...requests.map(({ receivedAtMs }) => receivedAtMs)))),
      toIntegerArray(rows.map(({ requests }) => requests.reduce((sum, { eventCount }) => sum + eventCount, 0))),
      toIntegerArray(packed.map(({ byteCount }) => byteCount)),
      toBytesArray(packed.map(({ bytes }) => bytes)),
    ]
  }
}

/**
 * Writes the rows and answers their ids in order; rejects when PostgreSQL takes longer than `deadlineMs`. Asks pg with a
 * callback: what its promises hold of a query lives on until a major collection, and the buffers of all writes together
 * bring one about several times a second (decision 0014).
 */
const appendRows = (client: PoolClient, columns: readonly Buffer[], deadlineMs: number): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`PostgreSQL did not answer within ${deadlineMs} ms`)), deadlineMs)
    void client.query<{ ids: string }>({ ...INSERT, values: [...columns] }, (fault, inserted) => {
      clearTimeout(timer)
      if (fault) reject(fault)
      else resolve(inserted.rows[0]?.ids.split(",") ?? [])
    })
  })
