import type { Clock } from "../../kernel/clock.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { QueryRequest } from "./queries.types.js"
import { type QueryRun, RETENTION_MINUTES, type RunState } from "./query-run.js"
import type { NewRun, QueryRunRepository, RunChange } from "./query-run.repository.js"
import { watchRun } from "./watch-run.js"

const QUEUED_CHANNEL = "query-run:queued"
const channelOf = (projectId: ProjectId, id: string): string => `query-run:${projectId}:${id}`

export type RunBoard = ReturnType<typeof createRunBoard>

/**
 * The one place where a run changes: every change is stored first and then published, so a poll that follows a push never
 * sees an older state. Messages carry no data; whoever hears one reads the store.
 */
export function createRunBoard(repository: QueryRunRepository, pubSub: PubSub, clock: Clock) {
  const announce = (run: QueryRun): Promise<void> => pubSub.publish(channelOf(run.projectId, run.id), run.sequence)

  return {
    find: repository.find,

    /** Queues a run. Null when a run of that id is under way already. */
    async queue(
      run: Omit<NewRun, "queuedAt" | "expiresAt"> & { readonly request: QueryRequest },
    ): Promise<QueryRun | null> {
      const now = clock.now()
      const expiresAt = new Date(now + RETENTION_MINUTES * 60_000)
      const queued = await repository.insert({ ...run, queuedAt: new Date(now), expiresAt })
      if (queued === null) return null
      await announce(queued)
      await pubSub.publish(QUEUED_CHANNEL, null)
      return queued
    },

    /** Moves a run to a state; null when the transition table does not allow it from where the run stands. */
    async move(run: QueryRun, to: RunState, change: Omit<RunChange, "at"> = {}): Promise<QueryRun | null> {
      const moved = await repository.move(run.projectId, run.id, to, { ...change, at: new Date(clock.now()) })
      if (moved !== null) await announce(moved)
      return moved
    },

    /** Drops the status of a finished run before its time. */
    forget: (run: QueryRun): Promise<void> => repository.delete(run.projectId, run.id),

    async claimNext(workerId: string): Promise<QueryRun | null> {
      const run = await repository.claimNext(workerId, new Date(clock.now()))
      if (run !== null) await announce(run)
      return run
    },

    /** Fails runs whose worker fell silent `silentForMs` ago, and forgets expired ones. */
    async sweep(silentForMs: number): Promise<void> {
      const now = clock.now()
      const reason = "The query was interrupted: the process that ran it ended."
      const failed = await repository.failSilent(new Date(now - silentForMs), new Date(now), reason)
      await Promise.all(failed.map(announce))
      await repository.deleteExpired()
    },

    onQueued: (listener: () => void): Promise<() => Promise<void>> => pubSub.subscribe(QUEUED_CHANNEL, listener),

    onChange: (projectId: ProjectId, id: string, listener: () => void): Promise<() => Promise<void>> =>
      pubSub.subscribe(channelOf(projectId, id), listener),

    /** The run's states from the present one to the final one, each once; empty when the run is unknown. */
    watch: (projectId: ProjectId, id: string): AsyncIterableIterator<QueryRun> =>
      watchRun(
        () => repository.find(projectId, id),
        (listener) => pubSub.subscribe(channelOf(projectId, id), listener),
      ),
  }
}
