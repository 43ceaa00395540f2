import { SHARD_COUNT } from "../shards.js"
import type { AppendSignal } from "./append-signal.js"
import { ShardOwner, type ShardOwnerOptions } from "./shard-owner.js"

/** The ingest role of a process: tries to own every shard; where others own them, it stands by and takes over when they die. */
export class IngestionLoop {
  private readonly owners: readonly ShardOwner[]
  private runs: Promise<void>[] = []
  private stopListening: () => void = () => undefined

  constructor(
    private readonly signal: AppendSignal,
    options: ShardOwnerOptions,
  ) {
    this.owners = Array.from({ length: SHARD_COUNT }, (_, shard) => new ShardOwner(shard, options))
  }

  start(): void {
    this.stopListening = this.signal.onAppended((projectIds) => {
      for (const projectId of projectIds) this.owners[projectId % SHARD_COUNT]?.wake()
    })
    this.runs = this.owners.map((owner) => owner.run())
  }

  /** Resolves when the current batches are done and every lock is given up. */
  async stop(): Promise<void> {
    this.stopListening()
    for (const owner of this.owners) owner.stop()
    await Promise.all(this.runs)
  }
}
