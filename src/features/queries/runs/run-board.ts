import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import type { QueryAnswer, QueryRequest } from "../queries.types.js"
import { MAX_WAIT_MINUTES, type QueryRun, RETENTION_MINUTES, type RunState } from "./query-run.js"
import type { QueryRunRepository, RunChange } from "./query-runs.types.js"
import { RunFeeds, type RunListener } from "./run-feeds.js"
import type { SilenceWatch } from "./silence-watch.js"
import { watchRun } from "./watch-run.js"

const QUEUED_CHANNEL = "query-run:queued"
const INTERRUPTED = "The query was interrupted: the process that ran it ended. Please run it again."
const NEVER_TAKEN = `The query waited ${MAX_WAIT_MINUTES} minutes for its turn and was given up. Please retry later.`

const channelOf = (projectId: ProjectId, id: string): string => `query-run:${projectId}:${id}`

export type RunBoard = ReturnType<typeof createRunBoard>

/** A run about to be made. */
export interface RunDraft {
  readonly projectId: ProjectId
  readonly id: string
  readonly request: QueryRequest
  readonly cacheKey: string
  readonly engineQueryId: string
  /** Whether a complete run of the same id and query gives way to this one. */
  readonly replacesComplete: boolean
}

/**
 * The one place where a run changes: every change is stored first and then published, so a poll that follows a push never
 * sees an older state. Messages carry no data; whoever hears one reads the store. A message that cannot be sent is only
 * noted: the change is stored, and followers look for changes from time to time by themselves.
 */
export function createRunBoard(
  repository: QueryRunRepository,
  pubSub: PubSub,
  clock: Clock,
  onFailure: (failure: unknown) => void,
) {
  const publish = (channel: string): Promise<void> => pubSub.publish(channel, null).catch(onFailure)
  const announce = (run: QueryRun): Promise<void> => publish(channelOf(run.projectId, run.id))
  const feeds = new RunFeeds({
    find: repository.find,
    sequences: repository.sequences,
    subscribe: (projectId, id, listener) => pubSub.subscribe(channelOf(projectId, id), listener),
    onFailure,
  })
  const now = (): Date => new Date(clock.now())

  async function insert(draft: RunDraft, rest: { state: "queued" | "running" | "complete"; answer?: QueryAnswer }) {
    const queuedAt = now()
    const expiresAt = new Date(queuedAt.getTime() + RETENTION_MINUTES * 60_000)
    const run = await repository.insert({ ...draft, ...rest, queuedAt, expiresAt })
    if (run !== null) await announce(run)
    return run
  }

  const follow = (run: Pick<QueryRun, "projectId" | "id">, listener: RunListener) =>
    feeds.follow({ projectId: run.projectId, id: run.id }, listener)

  return {
    find: repository.find,
    findExpired: repository.findExpired,
    countQueued: repository.countQueued,

    /** Queues a run. Null when one of that id is under way, or has the answer and is not to be replaced. */
    async queue(draft: RunDraft): Promise<QueryRun | null> {
      const queued = await insert(draft, { state: "queued" })
      if (queued !== null) await publish(QUEUED_CHANNEL)
      return queued
    },

    /** Makes a run that its caller performs itself. Null as for `queue`. */
    begin: (draft: RunDraft): Promise<QueryRun | null> => insert(draft, { state: "running" }),

    /** Makes a run that is complete already, so that its id is known. */
    record: (draft: RunDraft, answer: QueryAnswer): Promise<QueryRun | null> =>
      insert(draft, { state: "complete", answer }),

    /** Moves a run to a state; null when the transition table does not allow it from where the run stands. */
    async move(run: QueryRun, to: RunState, change: Omit<RunChange, "at"> = {}): Promise<QueryRun | null> {
      const moved = await repository.move(run, to, { ...change, at: now() })
      if (moved !== null) await announce(moved)
      return moved
    },

    /** Drops the status of a finished run before its time. */
    async forget(run: QueryRun): Promise<void> {
      await repository.delete(run)
      await announce(run)
    },

    async claimNext(workerId: string, maxPerProject: number): Promise<QueryRun | null> {
      const run = await repository.claimNext(workerId, maxPerProject, now())
      if (run !== null) await announce(run)
      return run
    },

    /**
     * Fails runs whose process is gone and runs that nobody took in time. Returns the first, whose work may still go on in
     * the engine. `monotonicMs` never goes back.
     * @param isPerformedHere tells the runs of this very process: it lives, however long a busy machine keeps it silent.
     */
    async sweep(
      watch: SilenceWatch,
      monotonicMs: number,
      isPerformedHere: (run: QueryRun) => boolean,
    ): Promise<QueryRun[]> {
      const running = await repository.listRunning()
      const ofOthers = running.filter((run) => !isPerformedHere(run))
      const silent = watch.observe(ofOthers, monotonicMs)
      const tried = await Promise.all(silent.map((run) => repository.failUnchanged(run, now(), INTERRUPTED)))
      const interrupted = tried.filter((run) => run !== null)
      const waiting = await repository.failWaiting(now(), NEVER_TAKEN)
      await Promise.all([...interrupted, ...waiting].map(announce))
      return interrupted
    },

    deleteExpired: repository.deleteExpired,

    onQueued: (listener: () => void): Promise<() => Promise<void>> => pubSub.subscribe(QUEUED_CHANNEL, listener),

    /** Calls `listener` with the present state and each later one until the returned function is called. */
    follow,

    /** The run's states from the present one to the final one, each once; empty when the run is unknown. */
    watch: (projectId: ProjectId, id: string) => watchRun((listener) => follow({ projectId, id }, listener)),

    /** What is followed in this process. */
    get followed() {
      return feeds.counts
    },
  }
}
