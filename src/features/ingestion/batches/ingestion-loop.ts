import type { Pool, PoolClient } from "pg"
import type { AppendSignal } from "./append-signal.js"
import { endSession, joinIngesters, readShare, type Share } from "./ingesters.store.js"
import { ShardOwner, type ShardOwnerOptions } from "./shard-owner.js"
import { WakeUp } from "./wake-up.js"

/** How often an ingester looks who else ingests, and tries again what did not work. */
const LOOK_EVERY_MS = 1_000

export interface IngestionLoopOptions extends ShardOwnerOptions {
  /** For the connections of owners and of the ingester itself, each held for as long as it is one. */
  readonly ownerPool: Pool
  /** How many shards there should be. */
  readonly shardCount: number
}

/**
 * The ingest role of a process: owns its part of the shards. Ingesters know of each other by a lock that all of them share, so
 * their parts change within seconds when one comes, goes or dies.
 */
export class IngestionLoop {
  private readonly owners = new Map<number, ShardOwner>()
  private readonly end = new WakeUp()
  private runs: Promise<unknown> = Promise.resolve()
  private shardCount: number
  private stopListening: () => void = () => undefined

  constructor(
    private readonly signal: AppendSignal,
    private readonly options: IngestionLoopOptions,
  ) {
    this.shardCount = options.shardCount
  }

  /** Shards that this process works on now. */
  get ownedShards(): number {
    return [...this.owners.values()].filter(({ isOwner }) => isOwner).length
  }

  start(): void {
    this.stopListening = this.signal.onAppended((projectIds) => {
      for (const projectId of projectIds) this.owners.get(projectId % this.shardCount)?.wake()
    })
    this.runs = this.takePart()
  }

  /** Resolves when the current batches are done and every lock is given up. */
  async stop(): Promise<void> {
    this.stopListening()
    this.end.end()
    for (const owner of this.owners.values()) owner.stop()
    await this.runs
  }

  private async takePart(): Promise<void> {
    while (!this.end.hasEnded) {
      try {
        await this.takePartWhilePossible()
      } catch (error) {
        this.options.logger.warn("an ingester lost its connection", { err: error })
      }
      await this.end.pause(LOOK_EVERY_MS)
    }
    await Promise.all([...this.owners.values()].map(({ run }) => run))
  }

  private async takePartWhilePossible(): Promise<void> {
    const client = await this.options.ownerPool.connect()
    // The pool listens to idle clients only; without this a lost connection would end the process.
    client.on("error", () => undefined)
    try {
      this.shardCount = await joinIngesters(client, this.options.shardCount, this.options.logger)
      await this.keepShare(client)
    } finally {
      await endSession(client)
    }
  }

  private async keepShare(client: PoolClient): Promise<void> {
    while (!this.end.hasEnded) {
      this.adjust(await readShare(client, this.shardCount))
      await this.end.pause(LOOK_EVERY_MS)
    }
  }

  private adjust({ size, free }: Share): void {
    const working = [...this.owners.values()].filter(({ isStopping }) => !isStopping)
    for (const owner of working.slice(size)) owner.stop()
    const untaken = free.filter((shard) => !this.owners.has(shard))
    for (const shard of untaken.slice(0, Math.max(0, size - working.length))) this.begin(shard)
  }

  private begin(shard: number): void {
    const owner = new ShardOwner(shard, this.options)
    this.owners.set(shard, owner)
    void owner.start(this.options.ownerPool).finally(() => this.owners.delete(shard))
  }
}
