import type { IngestSignal } from "../ingestion.types.js"
import { ShardOwner, type ShardOwnerOptions } from "./shard-owner.js"

export interface IngestionLoopOptions extends ShardOwnerOptions {
  readonly shardCount: number
  readonly signal: IngestSignal
}

/** The ingest role of a process: tries to own every shard; where others own them, it stands by and takes over when they die. */
export class IngestionLoop {
  private readonly owners: readonly ShardOwner[]
  private runs: Promise<void>[] = []
  private stopListening: () => void = () => undefined

  constructor(private readonly options: IngestionLoopOptions) {
    this.owners = Array.from({ length: options.shardCount }, (_, shard) => new ShardOwner(shard, options))
  }

  start(): void {
    this.stopListening = this.options.signal.onAppended((projectIds) => {
      for (const projectId of projectIds) this.owners[projectId % this.options.shardCount]?.wake()
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
