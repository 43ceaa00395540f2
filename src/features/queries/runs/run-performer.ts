import { AppError, toPublicError } from "../../../kernel/errors.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { EngineControl, EngineProgress, QueryAnswer } from "../queries.types.js"
import { isFinal, type QueryRun } from "./query-run.js"
import type { RunBoard } from "./run-board.js"

/** Every note is also a sign of life: ten missed ones mean that the process of a run is gone. */
const PROGRESS_EVERY_MS = 500
/** A running run that has not changed for this long has lost its process. */
export const SILENT_AFTER_MS = 10 * PROGRESS_EVERY_MS

/** The work of a run once it has begun. */
export interface BegunWork {
  /** Under which id the engine runs it; null while it does not, or nobody knows. */
  readonly runsUnder: () => Promise<string | null>
  readonly answer: Promise<QueryAnswer>
}

/** Begins the work of a run; the signal ends it. */
export type BeginWork = (signal: AbortSignal) => BegunWork | Promise<BegunWork>

export interface RunPerformerDependencies {
  readonly board: RunBoard
  readonly engine: EngineControl
  readonly logger: Logger
  readonly newId: () => string
}

export type RunPerformer = ReturnType<typeof createRunPerformer>

/** Performs runs: notes progress, hears of their cancellation, and writes down how they ended. */
export function createRunPerformer({ board, engine, logger, newId }: RunPerformerDependencies) {
  const performing = new Set<string>()

  /** Aborts as soon as anybody ends the run, and says so in the sentence of the run. */
  async function followEnd(run: QueryRun, controller: AbortController): Promise<() => Promise<void>> {
    return board.follow(run, (now) => {
      const isEnded = now === null || isFinal(now.state) || now.engineQueryId !== run.engineQueryId
      if (isEnded && now?.state !== "complete") controller.abort(endedFault(now))
    })
  }

  async function progressOf({ runsUnder }: BegunWork): Promise<EngineProgress | null> {
    const engineQueryId = await runsUnder()
    return engineQueryId === null ? null : engine.progress(engineQueryId)
  }

  function noteProgress(run: QueryRun, work: BegunWork, controller: AbortController): () => void {
    let progress: EngineProgress | null = null
    // Asking the engine must not hold up the sign of life.
    const ask = (): void => {
      progressOf(work).then(
        (seen) => (progress = seen),
        (failure) => logger.debug("progress could not be read", { runId: run.id, failure }),
      )
    }
    const note = async (): Promise<void> => {
      try {
        ask()
        if ((await board.move(run, "running", { progress })) === null) controller.abort(endedFault(null))
      } catch (failure) {
        logger.debug("progress could not be noted", { runId: run.id, failure })
      }
    }
    ask()
    const notes = createPeriodicTask(PROGRESS_EVERY_MS, note)
    notes.start()
    return () => void notes.stop()
  }

  function logDefect(run: QueryRun, failure: unknown): string {
    const errorId = newId()
    logger.error("a query run failed unexpectedly", { errorId, runId: run.id, projectId: run.projectId, failure })
    return errorId
  }

  async function performToEnd(run: QueryRun, signal: AbortSignal, begin: BeginWork): Promise<QueryAnswer> {
    const ended = new AbortController()
    const stopFollowing = await followEnd(run, ended)
    let stopNoting = (): void => undefined
    try {
      const work = await begin(AbortSignal.any([ended.signal, signal]))
      stopNoting = noteProgress(run, work, ended)
      const answer = await work.answer
      stopNoting()
      if ((await board.move(run, "complete", { answer })) === null) throw endedFault(null)
      return answer
    } catch (failure) {
      stopNoting()
      const { detail } = toPublicError(failure, (defect) => logDefect(run, defect))
      await board.move(run, "failed", { errorMessage: detail }).catch((lost) => logDefect(run, lost))
      throw failure
    } finally {
      await stopFollowing()
    }
  }

  return {
    /** Whether a run is being performed here. */
    isPerforming: (run: QueryRun): boolean => performing.has(keyOf(run)),

    /**
     * Performs a running run to its end and returns the answer. `signal` gives it up.
     * @throws what the work throws, after the run has been written down as failed; AppError query_cancelled when
     * somebody ended it.
     */
    async perform(run: QueryRun, signal: AbortSignal, begin: BeginWork): Promise<QueryAnswer> {
      performing.add(keyOf(run))
      try {
        return await performToEnd(run, signal, begin)
      } finally {
        performing.delete(keyOf(run))
      }
    },

    /** Waits for an answer on behalf of a run that somebody else performs: ends when the run is cancelled. */
    async accompany(run: QueryRun, begin: BeginWork): Promise<QueryAnswer> {
      const ended = new AbortController()
      const stopFollowing = await followEnd(run, ended)
      try {
        return await (await begin(ended.signal)).answer
      } finally {
        await stopFollowing()
      }
    },
  }
}

/** The engine's id tells a run from a later one under the same id. */
const keyOf = ({ projectId, engineQueryId }: QueryRun): string => `${projectId}:${engineQueryId}`

const endedFault = (run: QueryRun | null): AppError =>
  new AppError("query_cancelled", run?.errorMessage ? { detail: run.errorMessage } : {})
