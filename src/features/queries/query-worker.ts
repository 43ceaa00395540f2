import { toPublicError } from "../../kernel/errors.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { EngineControl, QueryAnswer } from "./queries.types.js"
import type { QueryRun } from "./query-run.js"
import type { RunBoard } from "./run-board.js"

const PROGRESS_EVERY_MS = 500
/** A worker is heard of with every progress note; ten missed ones mean that its process is gone. */
const SILENT_AFTER_MS = 10 * PROGRESS_EVERY_MS
const SWEEP_EVERY_MS = 2_000

export interface QueryWorkerDependencies {
  readonly board: RunBoard
  readonly calculate: (run: QueryRun, signal: AbortSignal) => Promise<QueryAnswer>
  readonly engine: EngineControl
  readonly logger: Logger
  readonly maxConcurrentRuns: number
  readonly newId: () => string
}

export interface QueryWorker {
  start(): Promise<void>
  /** Takes no more runs and gives up the running ones; their state becomes failed. */
  stop(): Promise<void>
}

/** Runs queued queries in the background, at most `maxConcurrentRuns` at once in this process. */
export function createQueryWorker(dependencies: QueryWorkerDependencies): QueryWorker {
  const { board, calculate, engine, logger, maxConcurrentRuns, newId } = dependencies
  const workerId = newId()
  const running = new Map<Promise<void>, AbortController>()
  let stopped = false
  let claiming = false
  let stopListening: () => Promise<void> = async () => undefined
  let sweepTimer: NodeJS.Timeout | undefined

  async function claimAll(): Promise<void> {
    if (claiming || stopped) return
    claiming = true
    try {
      while (!stopped && running.size < maxConcurrentRuns) {
        const run = await board.claimNext(workerId)
        if (run === null) break
        launch(run)
      }
    } catch (failure) {
      logger.warn("query runs could not be claimed", { failure })
    } finally {
      claiming = false
    }
  }

  function launch(run: QueryRun): void {
    const controller = new AbortController()
    const work = perform(run, controller).finally(() => {
      running.delete(work)
      wake()
    })
    running.set(work, controller)
  }

  const wake = (): void => void claimAll()

  async function perform(run: QueryRun, controller: AbortController): Promise<void> {
    const stopWatching = await board.onChange(run.projectId, run.id, () => void abortWhenCancelled(run, controller))
    const noting = setInterval(() => void noteProgress(run), PROGRESS_EVERY_MS)
    try {
      const answer = await calculate(run, controller.signal)
      await board.move(run, "complete", { answer })
    } catch (failure) {
      const shown = toPublicError(failure, (defect) => logDefect(run, defect))
      await board.move(run, "failed", { errorMessage: shown.detail }).catch((lost) => logDefect(run, lost))
    } finally {
      clearInterval(noting)
      await stopWatching()
    }
  }

  async function noteProgress(run: QueryRun): Promise<void> {
    try {
      await board.move(run, "running", { progress: await engine.progress(run.engineQueryId) })
    } catch (failure) {
      logger.debug("progress could not be noted", { runId: run.id, failure })
    }
  }

  async function abortWhenCancelled(run: QueryRun, controller: AbortController): Promise<void> {
    const now = await board.find(run.projectId, run.id).catch(() => null)
    if (now === null || now.state === "cancelled") controller.abort()
  }

  function logDefect(run: QueryRun, defect: unknown): string {
    const errorId = newId()
    logger.error("a query run failed unexpectedly", {
      errorId,
      runId: run.id,
      projectId: run.projectId,
      failure: defect,
    })
    return errorId
  }

  return {
    async start() {
      stopListening = await board.onQueued(wake)
      sweepTimer = setInterval(() => {
        board.sweep(SILENT_AFTER_MS).catch((failure) => logger.warn("query runs could not be swept", { failure }))
        wake()
      }, SWEEP_EVERY_MS)
      sweepTimer.unref()
      wake()
    },
    async stop() {
      stopped = true
      clearInterval(sweepTimer)
      await stopListening()
      for (const controller of running.values()) controller.abort()
      await Promise.allSettled(running.keys())
    },
  }
}
