import type { Readable } from "node:stream"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { FairConcurrencyLimiter } from "../../../platform/limits/fair-concurrency-limiter.js"
import { BACKGROUND_SECONDS } from "../execution/query-executor.js"
import type { ProjectSettingsReader, QueryAnswer, QueryRequest, RunScope } from "../queries.types.js"
import type { QueryRun } from "../runs/query-run.js"
import type { QueryRunExecutor } from "../runs/query-run-executor.js"
import type { QueryRunTracker } from "../runs/query-run-tracker.js"
import type { ExportFormat } from "./export-format.js"
import { type ExportCount, orBrokenOff } from "./export-rows.js"
import type { ExportSource } from "./export-source.js"
import { openCalculated } from "./open-calculated.js"
import { isStreamed, openStreamed } from "./open-streamed.js"

/** Most rows of one export. They are never all in memory, so that time alone bounds them. */
export const MAX_EXPORT_ROWS = 10_000_000

export interface ExportsDependencies extends ExportSource {
  readonly tracker: QueryRunTracker
  readonly runExecutor: QueryRunExecutor
  readonly limiter: FairConcurrencyLimiter
  readonly projects: ProjectSettingsReader
  readonly clock: Clock
}

/** An export whose first rows are there. */
export interface OpenExport {
  /** Under which its status, with progress, can be asked for and it can be cancelled. */
  readonly id: string
  /** To be read to the end or left; leaving stops the engine's work. */
  readonly pieces: AsyncIterable<string | Uint8Array>
  /** Rows so far; `isCut` once it is known that there were more than `MAX_EXPORT_ROWS`, which Parquet refuses instead. */
  readonly count: ExportCount
}

export type QueryExports = ReturnType<typeof createQueryExports>

/** Exports the rows of a query past the row cap, as they are made. Each export is a tracked run. */
export function createQueryExports(dependencies: ExportsDependencies) {
  const { tracker, runExecutor, limiter, projects, clock, newId } = dependencies

  /** Opens the rows of a run. `ended` resolves once all are read, and rejects when the rest will not be read. */
  async function openRows({ projectId, request, engineQueryId }: QueryRun, format: ExportFormat, signal: AbortSignal) {
    const releaseSlot = await limiter.acquire(projectId, signal)
    const ended = Promise.withResolvers<QueryAnswer>()
    // It may end before anybody waits for it.
    ended.promise.catch(() => undefined)
    let counted: ExportCount = { rows: 0, isCut: false }
    const end = (failure?: unknown): void => {
      releaseSlot()
      if (failure !== undefined) ended.reject(failure)
      else ended.resolve({ exported_rows: counted.rows, has_more: counted.isCut, format })
    }
    // Also when nobody ever reads the pieces: the slot and the run would be held for good.
    signal.addEventListener("abort", () => end(signal.reason), { once: true })
    try {
      const { timezone, weekStartDay, pathCleaning } = await projects.settings(projectId)
      const limits = { engineQueryId, maxExecutionSeconds: BACKGROUND_SECONDS, signal }
      const scope: RunScope = { projectId, timezone, weekStartDay, pathCleaning, nowMs: clock.now(), ...limits }
      const open = isStreamed(request) ? openStreamed : openCalculated
      const { pieces, count } = await open(dependencies, request, format, scope)
      counted = count
      return { count, pieces: closing(pieces, signal, end), ended: ended.promise }
    } catch (failure) {
      end(failure)
      throw failure
    }
  }

  return {
    /**
     * Begins an export. `signal` ends it.
     * @throws AppError of the query and of the queue of exports, before any row.
     */
    async open(
      projectId: ProjectId,
      request: QueryRequest,
      format: ExportFormat,
      signal: AbortSignal,
    ): Promise<OpenExport> {
      if (request.query.explain === true)
        throw new AppError("invalid_input", {
          attr: "query__explain",
          detail: "An export has no plan: leave explain out.",
        })
      const engineQueryId = newId()
      const id = request.clientQueryId ?? newId()
      const cacheKey = `export_${engineQueryId}`
      const run = await tracker.start({ projectId, id, request, cacheKey, engineQueryId })
      if (run === null) throw new AppError("conflict", { attr: "client_query_id", detail: `Query ${id} is under way.` })
      const executing = await runExecutor.begin(run, signal)
      const opening = openRows(run, format, executing.signal)
      const finished = executing.finish(
        opening.then(({ ended }) => ({ findEngineQueryId: async () => engineQueryId, result: ended })),
      )
      // How it ended is stored in the run.
      finished.catch(() => undefined)
      try {
        const { count, pieces } = await opening
        return { id, count, pieces }
      } catch (failure) {
        await finished.catch(() => undefined)
        throw failure
      }
    },
  }
}

/** Passes pieces on and reports how it ended; leaving early or the signal's abort ends the source. */
async function* closing(
  source: Readable | AsyncIterable<string>,
  signal: AbortSignal,
  end: (failure?: unknown) => void,
): AsyncGenerator<string | Uint8Array> {
  let failure: unknown = new AppError("query_cancelled", { detail: "The client left before the export's end." })
  try {
    for await (const piece of source as AsyncIterable<string | Uint8Array>) {
      signal.throwIfAborted()
      yield piece
    }
    failure = undefined
  } catch (thrown) {
    failure = signal.aborted ? signal.reason : orBrokenOff(thrown)
    throw failure
  } finally {
    end(failure)
  }
}
