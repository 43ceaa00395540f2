import type { Pool, PoolClient } from "pg"
import { isRecent } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Logger } from "../../../platform/logger/logger.js"
import { forgetOldVisitors } from "../../cookieless/index.js"
import type { PendingCopies } from "../../persons/index.js"
import { forgetOldDeadLetters } from "../dead-letters/dead-letter.store.js"
import { type BatchLogOptions, createBatchLog } from "./batch.store.js"
import type { BatchLog } from "./batch.types.js"
import type { BatchDependencies } from "./batch-attempt.js"
import { forgetOldUuids } from "./event-uuid.store.js"
import { endSession, takeShard } from "./ingesters.store.js"
import { processBatch } from "./process-batch.js"
import { WakeUp } from "./wake-up.js"

/** How often the log is read when a signal is lost. */
const POLL_MS = 500
/**
 * Events linger for a moment before each batch that is not the rest of a backlog: what a batch costs hardly depends on its
 * size, and ClickHouse likes few large inserts. The pause grows while events keep coming, and is short again after a lull.
 */
const FIRST_LINGER_MS = 100
const MAX_LINGER_MS = 1000
/** After a batch of this many events there are likely more. */
const BACKLOG_BATCH_EVENTS = 10_000
const FIRST_BACKOFF_MS = 200
const MAX_BACKOFF_MS = 5000
const MAINTENANCE_INTERVAL_MS = 60_000
const DELETION_INTERVAL_MS = 1_000
/** The owner of this shard also does the maintenance: forgets old uuids, visitors and dead letters, applies deletions to ClickHouse. */
const MAINTENANCE_SHARD = 0

export interface ShardOwnerOptions extends BatchDependencies, BatchLogOptions {
  readonly logger: Logger
  /** How long events are kept that could not be stored. */
  readonly deadLetterDays: number
  /** Deletions that ClickHouse has yet to apply: tried again now and then. */
  readonly deletions: PendingCopies
  /** Tells whoever watches these projects that more of them is stored. Returns at once and never fails. */
  readonly announceStored: (projectIds: ReadonlySet<ProjectId>) => void
}

/**
 * Processes one shard of the ingest log for as long as it holds the shard's lock. The lock belongs to the connection over which
 * everything is done: who loses the one loses the other.
 */
export class ShardOwner {
  private readonly wakeUp = new WakeUp()
  /** Resolves when the shard is given up, or was not to be had; never rejects. */
  run: Promise<void> = Promise.resolve()
  private owns = false
  private maintainedAtMs = Number.NEGATIVE_INFINITY
  private deletedAtMs = Number.NEGATIVE_INFINITY
  private lingerMs = FIRST_LINGER_MS
  private deleting: Promise<void> | null = null

  constructor(
    private readonly shard: number,
    private readonly options: ShardOwnerOptions,
  ) {}

  /** Looks at the log now instead of at the next poll. */
  wake(): void {
    this.wakeUp.wake()
  }

  /** Ends `run` after the current batch. */
  stop(): void {
    this.wakeUp.end()
  }

  get isStopping(): boolean {
    return this.wakeUp.hasEnded
  }

  /** Whether it holds the shard's lock. */
  get isOwner(): boolean {
    return this.owns
  }

  /** Owns the shard, if it is free, until `stop` or until the connection is lost. @returns `run`. */
  start(pool: Pool): Promise<void> {
    this.run = this.ownUntilLost(pool)
    return this.run
  }

  private async ownUntilLost(pool: Pool): Promise<void> {
    try {
      await this.ownWhilePossible(pool)
    } catch (error) {
      this.options.logger.warn("an ingestion shard lost its connection", { err: error, shard: this.shard })
    }
    await this.deleting
  }

  private async ownWhilePossible(pool: Pool): Promise<void> {
    const client = await pool.connect()
    // The pool listens to idle clients only; without this a lost connection would end the process.
    const connection = { isLost: false }
    client.on("error", () => {
      connection.isLost = true
    })
    try {
      this.owns = await takeShard(client, this.shard)
      if (this.owns) await this.own(client, connection)
    } finally {
      this.owns = false
      await endSession(client)
    }
  }

  private async own(client: PoolClient, connection: { readonly isLost: boolean }): Promise<void> {
    const log = createBatchLog(client, this.options)
    let backoffMs = FIRST_BACKOFF_MS
    while (!this.wakeUp.hasEnded) {
      try {
        await this.processNext(client, log)
        backoffMs = FIRST_BACKOFF_MS
      } catch (error) {
        if (connection.isLost) throw error
        this.options.logger.warn("a batch could not be stored and will be tried again", {
          err: error,
          shard: this.shard,
        })
        await this.wakeUp.pause(backoffMs)
        backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS)
        await client.query("SELECT 1")
      }
    }
  }

  private async processNext(client: PoolClient, log: BatchLog): Promise<void> {
    this.wakeUp.reset()
    // Not only when nothing else is to be done: the log of a busy shard is never empty.
    await this.maintain(client)
    const batch = await log.claim(this.shard)
    if (batch === null) {
      this.lingerMs = FIRST_LINGER_MS
      if (await this.wakeUp.sleep(POLL_MS)) await this.wakeUp.pause(this.lingerMs)
      return
    }
    const { stored, dropped, projectIds } = await processBatch(log, batch, this.options)
    this.options.announceStored(projectIds)
    if (stored + dropped >= BACKLOG_BATCH_EVENTS) return
    await this.wakeUp.pause(this.lingerMs)
    this.lingerMs = Math.min(this.lingerMs * 2, MAX_LINGER_MS)
  }

  private async maintain(client: PoolClient): Promise<void> {
    const { clock, deletions, logger } = this.options
    const nowMs = clock.now()
    if (this.shard !== MAINTENANCE_SHARD) return
    if (!isRecent(nowMs, this.maintainedAtMs, MAINTENANCE_INTERVAL_MS) && !(await this.forgetSome(client, nowMs)))
      this.maintainedAtMs = nowMs
    if (isRecent(nowMs, this.deletedAtMs, DELETION_INTERVAL_MS)) return
    this.deletedAtMs = nowMs
    // Not awaited: batches need not wait for what ClickHouse takes to delete.
    this.deleting ??= deletions
      .applyPending()
      .catch((error: unknown) => logger.warn("a deletion will reach ClickHouse later", { err: error }))
      .finally(() => {
        this.deleting = null
      })
  }

  /** What goes wrong here must not keep events from being stored. @returns whether there may be more. */
  private async forgetSome(client: PoolClient, nowMs: number): Promise<boolean> {
    try {
      const hasOldVisitors = await forgetOldVisitors(client, nowMs)
      const hasOldLetters = await forgetOldDeadLetters(client, nowMs, this.options.deadLetterDays)
      return (await forgetOldUuids(client, nowMs)) || hasOldVisitors || hasOldLetters
    } catch (error) {
      this.options.logger.warn("old uuids of events, visitors and dead letters will be forgotten later", { err: error })
      return false
    }
  }
}
