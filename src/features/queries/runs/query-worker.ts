import { AppError } from "../../../kernel/errors.js"
import { createPeriodicTask, startInterval } from "../../../kernel/periodic-task.js"
import { beginTrace } from "../../../kernel/trace.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { EngineControl } from "../queries.types.js"
import { HeartbeatMonitor } from "./heartbeat-monitor.js"
import type { QueryRun } from "./query-run.js"
import { SILENT_AFTER_MS } from "./query-run-executor.js"
import type { QueryRunTracker } from "./query-run-tracker.js"

/** Queued runs are announced; this often they are looked for as well. */
const CLAIM_EVERY_MS = 1_000
const SWEEP_EVERY_MS = 1_000
const DELETE_EVERY_MS = 60_000

const SERVER_STOPPED = "The query was interrupted: the server stopped. Please run it again."

export interface QueryWorkerDependencies {
  readonly tracker: QueryRunTracker
  /** Executes a claimed run to its end, however it ends; the signal gives it up. */
  readonly execute: (run: QueryRun, signal: AbortSignal) => Promise<unknown>
  /** Whether this process is executing a run, claimed or blocking. */
  readonly isExecuting: (run: QueryRun) => boolean
  /** Whether the engine has stopped enough of what was given up for another run. */
  readonly hasFreePlace: () => boolean
  readonly engine: Pick<EngineControl, "kill">
  readonly logger: Logger
  readonly maxConcurrentRuns: number
  readonly newId: () => string
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs?: () => number
}

/** Runs queued queries in the background, at most `maxConcurrentRuns` at once in this process. */
export function createQueryWorker(dependencies: QueryWorkerDependencies) {
  const { tracker, execute, isExecuting, hasFreePlace, engine, logger, maxConcurrentRuns, newId } = dependencies
  const { monotonicMs = () => performance.now() } = dependencies
  const workerId = newId()
  const maxPerProject = Math.max(1, maxConcurrentRuns - 1)
  const monitor = new HeartbeatMonitor(SILENT_AFTER_MS)
  const running = new Map<Promise<void>, AbortController>()
  let stopped = false
  let claiming: Promise<void> | null = null
  let isWoken = false
  let stopListening: () => Promise<void> = async () => undefined
  let stopClaiming = (): void => undefined

  function wake(): void {
    isWoken = true
    claiming ??= claimAll().finally(() => (claiming = null))
  }

  async function claimAll(): Promise<void> {
    try {
      while (isWoken && !stopped) {
        isWoken = false
        await claimWhileFree()
      }
    } catch (failure) {
      logger.warn("query runs could not be claimed", { err: failure })
    }
  }

  async function claimWhileFree(): Promise<void> {
    while (!stopped && running.size < maxConcurrentRuns && hasFreePlace()) {
      const run = await tracker.claimNext(workerId, maxPerProject)
      if (run === null) return
      launch(run)
    }
  }

  function launch(run: QueryRun): void {
    const controller = new AbortController()
    if (stopped) controller.abort(stopFault())
    const start = {
      name: "query run",
      attributes: { "waymark.project_id": run.projectId, "clickhouse.query_id": run.engineQueryId },
    }
    const work = beginTrace(start, {}, () => execute(run, controller.signal))
      // How it ended is stored in the run.
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        running.delete(work)
        wake()
      })
    running.set(work, controller)
  }

  async function sweep(): Promise<void> {
    try {
      const interrupted = await tracker.sweep(monitor, monotonicMs(), isExecuting)
      await Promise.all(interrupted.map(({ engineQueryId }) => engine.kill(engineQueryId)))
    } catch (failure) {
      logger.warn("query runs could not be swept", { err: failure })
    }
  }

  const deleteExpired = (): Promise<void> =>
    tracker.deleteExpired().catch((failure) => logger.warn("expired query runs could not be dropped", { err: failure }))

  const sweeps = createPeriodicTask(SWEEP_EVERY_MS, sweep)
  const deletions = createPeriodicTask(DELETE_EVERY_MS, deleteExpired)

  return {
    async start(): Promise<void> {
      stopListening = await tracker.onQueued(wake)
      stopClaiming = startInterval(CLAIM_EVERY_MS, wake)
      sweeps.start()
      deletions.start()
      wake()
    },
    /** Takes no more runs and gives up the running ones; their state becomes failed. */
    async stop(): Promise<void> {
      stopped = true
      stopClaiming()
      const swept = Promise.all([sweeps.stop(), deletions.stop()])
      await stopListening()
      await claiming
      for (const controller of running.values()) controller.abort(stopFault())
      await Promise.allSettled(running.keys())
      await swept
    },
  }
}

const stopFault = (): AppError => new AppError("query_cancelled", { detail: SERVER_STOPPED })
