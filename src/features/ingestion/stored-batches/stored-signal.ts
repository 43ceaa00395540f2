import type { ProjectId } from "../../../kernel/ids.js"
import type { OutageLog } from "../../../platform/logger/outage-log.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"

const CHANNEL = "ingestion:stored"

type Listener = () => void

/**
 * The signal that batches have been stored, between the processes that ingest and those that are watched: one small
 * message for each batch, whoever listens.
 */
export class StoredSignal {
  private readonly listeners = new Map<ProjectId, Set<Listener>>()
  private unsubscribe: () => Promise<void> = async () => undefined

  constructor(
    private readonly pubSub: Pick<PubSub, "publish" | "subscribe">,
    private readonly outage: OutageLog,
  ) {}

  /** Tells every process that a batch with these projects is stored. Not awaited: storing goes on, whoever listens. */
  announce(projectIds: ReadonlySet<ProjectId>): void {
    this.pubSub.publish(CHANNEL, [...projectIds]).then(this.outage.worked, this.outage.failed)
  }

  /** Calls `listener` soon after more of a project is stored, until the returned function is called. */
  async onStored(projectId: ProjectId, listener: Listener): Promise<() => Promise<void>> {
    const own = this.listeners.get(projectId) ?? new Set()
    this.listeners.set(projectId, own.add(listener))
    return async () => {
      own.delete(listener)
      if (own.size === 0 && this.listeners.get(projectId) === own) this.listeners.delete(projectId)
    }
  }

  /** Begins to listen to other processes. */
  async start(): Promise<void> {
    this.unsubscribe = await this.pubSub.subscribe<readonly ProjectId[]>(CHANNEL, (projectIds) => {
      for (const projectId of projectIds) for (const listener of this.listeners.get(projectId) ?? []) listener()
    })
  }

  stop(): Promise<void> {
    return this.unsubscribe()
  }
}
