import { type AppError, toPublicError } from "../../../kernel/errors.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { StartedQuery } from "../execution/query-executor.js"
import type { EngineControl, EngineProgress, QueryAnswer } from "../queries.types.js"
import { type QueryRun, toRunError } from "./query-run.js"
import type { QueryRunTracker } from "./query-run-tracker.js"
import { toEndedFault, watchRunEnd } from "./run-end.js"

/** Every report of progress is also a heartbeat: ten missed ones mean that the process of a run is gone. */
const PROGRESS_EVERY_MS = 500
/** A running run that has not changed for this long has lost its process. */
export const SILENT_AFTER_MS = 10 * PROGRESS_EVERY_MS

export interface QueryRunExecutorDependencies {
  readonly tracker: QueryRunTracker
  readonly engine: EngineControl
  readonly logger: Logger
  readonly newId: () => string
}

export type QueryRunExecutor = ReturnType<typeof createQueryRunExecutor>

/** Executes query runs: reports progress, reacts to cancellation, stores the outcome. */
export function createQueryRunExecutor({ tracker, engine, logger, newId }: QueryRunExecutorDependencies) {
  const executing = new Set<string>()

  async function readProgress({ findEngineQueryId }: StartedQuery<QueryAnswer>): Promise<EngineProgress | null> {
    const engineQueryId = await findEngineQueryId()
    return engineQueryId === null ? null : engine.progress(engineQueryId)
  }

  /** Until the returned function is called. A run that is no longer running aborts its work. */
  function reportProgress(run: QueryRun, work: StartedQuery<QueryAnswer>, abort: (reason: AppError) => void) {
    let progress: EngineProgress | null = null
    // Asking the engine must not hold up the heartbeat.
    const read = (): void => {
      readProgress(work).then(
        (seen) => (progress = seen),
        (failure) => logger.debug("progress could not be read", { runId: run.id, err: failure }),
      )
    }
    const report = async (): Promise<void> => {
      try {
        read()
        if ((await tracker.move(run, "running", { progress })) === null) abort(toEndedFault(null))
      } catch (failure) {
        logger.debug("progress could not be stored", { runId: run.id, err: failure })
      }
    }
    read()
    const reports = createPeriodicTask(PROGRESS_EVERY_MS, report)
    reports.start()
    return () => void reports.stop()
  }

  function logDefect(run: QueryRun, failure: unknown): string {
    const errorId = newId()
    logger.error("a query run failed unexpectedly", { errorId, runId: run.id, projectId: run.projectId, err: failure })
    return errorId
  }

  return {
    /** Whether a run is being executed here. */
    isExecuting: (run: QueryRun): boolean => executing.has(toKey(run)),

    /** Takes the execution of a running run upon this process. `signal` gives it up. */
    async begin(run: QueryRun, signal: AbortSignal) {
      const key = toKey(run)
      executing.add(key)
      const end = await watchRunEnd(tracker, run).catch((failure) => {
        executing.delete(key)
        throw failure
      })
      let stopReporting = (): void => undefined
      return {
        /** Ends the work: somebody has ended the run, or whoever executes it gives it up. */
        signal: AbortSignal.any([end.signal, signal]),
        /**
         * Reports the progress of the run's work until it ends, then stores and publishes the outcome. To be called once.
         * @throws what the work throws, after the run has been stored as failed; AppError query_cancelled when somebody
         * ended it.
         */
        async finish(work: StartedQuery<QueryAnswer> | Promise<StartedQuery<QueryAnswer>>): Promise<QueryAnswer> {
          try {
            const started = await work
            stopReporting = reportProgress(run, started, end.abort)
            const answer = await started.result
            stopReporting()
            if ((await tracker.move(run, "complete", { answer })) === null) throw toEndedFault(null)
            return answer
          } catch (failure) {
            stopReporting()
            const shown = toPublicError(failure, (defect) => logDefect(run, defect))
            const change = { errorMessage: shown.detail, error: toRunError(shown) }
            await tracker.move(run, "failed", change).catch((lost) => logDefect(run, lost))
            throw failure
          } finally {
            await end.stopWatching()
            executing.delete(key)
          }
        },
      }
    },
  }
}

/** With the engine's id, as a later run may have the same id. */
const toKey = ({ projectId, engineQueryId }: QueryRun): string => `${projectId}:${engineQueryId}`
