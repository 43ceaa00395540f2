import type { Clock } from "../../../kernel/clock.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import { isForced } from "../cache/refresh-decision.js"
import type { QueryAnswer } from "../queries.types.js"
import type { HeartbeatMonitor } from "./heartbeat-monitor.js"
import type { AskedRun, NewRun, QueryRunStore, RunChange, RunName } from "./postgres-query-run.store.js"
import { MAX_WAIT_MINUTES, type QueryRun, RETENTION_MINUTES, type RunState } from "./query-run.js"
import { RunFeeds, type RunListener } from "./run-feeds.js"
import { watchRuns } from "./watch-runs.js"

const QUEUED_CHANNEL = "query-run:queued"
const INTERRUPTED = "The query was interrupted: the process that ran it ended. Please run it again."
const NEVER_TAKEN = `The query waited ${MAX_WAIT_MINUTES} minutes for its turn and was given up. Please retry later.`

const toChannel = ({ projectId, id }: RunName): string => `query-run:${projectId}:${id}`

export type QueryRunTracker = ReturnType<typeof createQueryRunTracker>

/**
 * The one place where a run changes: every change is stored first and then published, so a poll that follows a push never
 * sees an older state. Messages carry no data; whoever receives one reads the store. A message that cannot be sent is only
 * logged: the change is stored, and followers read it from time to time by themselves.
 */
export function createQueryRunTracker(
  store: QueryRunStore,
  pubSub: PubSub,
  clock: Clock,
  onFailure: (failure: unknown) => void,
) {
  const publish = (channel: string): Promise<void> => pubSub.publish(channel, null).catch(onFailure)
  const announce = (run: QueryRun): Promise<void> => publish(toChannel(run))
  const subscribe = (run: RunName, listener: () => void) => pubSub.subscribe(toChannel(run), listener)
  const feeds = new RunFeeds({ ...store, subscribe, onFailure })
  const now = (): Date => new Date(clock.now())

  async function insert(asked: AskedRun, rest: Pick<NewRun, "state" | "replacesComplete" | "answer">) {
    const queuedAt = now()
    const expiresAt = new Date(queuedAt.getTime() + RETENTION_MINUTES * 60_000)
    const run = await store.insert({ ...asked, queuedAt, expiresAt, ...rest })
    if (run !== null) await announce(run)
    return run
  }

  return {
    find: store.find,
    findAll: store.findAll,
    findExpired: store.findExpired,
    countQueued: store.countQueued,

    /** Queues a run. Null when one of that id is under way, or has the answer and is not to be replaced. */
    async queue(asked: AskedRun): Promise<QueryRun | null> {
      const queued = await insert(asked, { state: "queued", replacesComplete: isForced(asked.request) })
      if (queued !== null) await publish(QUEUED_CHANNEL)
      return queued
    },

    /** Makes a run that its caller executes itself, in the place of an earlier answer. Null when one is under way. */
    start: (asked: AskedRun): Promise<QueryRun | null> => insert(asked, { state: "running", replacesComplete: true }),

    /** Makes a run that is complete already, so that its id is known. */
    record: (asked: AskedRun, answer: QueryAnswer): Promise<QueryRun | null> =>
      insert(asked, { state: "complete", replacesComplete: false, answer }),

    /** Moves a run to a state; null when the transition table does not allow it from where the run stands. */
    async move(run: QueryRun, to: RunState, change: RunChange = {}): Promise<QueryRun | null> {
      const moved = await store.move(run, to, now(), change)
      if (moved !== null) await announce(moved)
      return moved
    },

    /** Drops the status of a finished run before its time. */
    async forget(run: QueryRun): Promise<void> {
      await store.delete(run)
      await announce(run)
    },

    async claimNext(workerId: string, maxPerProject: number): Promise<QueryRun | null> {
      const run = await store.claimNext(workerId, maxPerProject, now())
      if (run !== null) await announce(run)
      return run
    },

    /**
     * Fails runs whose process is gone and runs that nobody took in time. Returns the first, whose work may still go on in
     * the engine.
     * @param monotonicMs never goes back
     * @param isExecutedHere tells the runs of this very process: it lives, however long a busy machine keeps it silent
     */
    async sweep(
      monitor: HeartbeatMonitor,
      monotonicMs: number,
      isExecutedHere: (run: QueryRun) => boolean,
    ): Promise<QueryRun[]> {
      const running = await store.listRunning()
      const silent = monitor.findSilent(
        running.filter((run) => !isExecutedHere(run)),
        monotonicMs,
      )
      const tried = await Promise.all(silent.map((run) => store.failUnchanged(run, now(), INTERRUPTED)))
      const interrupted = tried.filter((run) => run !== null)
      const waiting = await store.failWaiting(now(), NEVER_TAKEN)
      await Promise.all([...interrupted, ...waiting].map(announce))
      return interrupted
    },

    deleteExpired: store.deleteExpired,

    onQueued: (listener: () => void): Promise<() => Promise<void>> => pubSub.subscribe(QUEUED_CHANNEL, listener),

    /** Calls `listener` with the present state and each later one until it leaves. */
    follow: ({ projectId, id }: RunName, listener: RunListener) => feeds.follow([{ projectId, id }], listener),

    /** The states of distinct runs up to the final ones. @throws AppError not_found for one that is unknown. */
    watch: (names: readonly RunName[]) => watchRuns(feeds, names),

    /** What is followed in this process. */
    get followed() {
      return feeds.counts
    },
  }
}
