import type { Readable } from "node:stream"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { BACKGROUND_SECONDS } from "../execution/calculations.js"
import type { QueryTurns } from "../execution/query-turns.js"
import type { ProjectSettingsReader, QueryAnswer, QueryRequest, RunScope } from "../queries.types.js"
import type { RunBoard } from "../runs/run-board.js"
import type { BegunWork, RunPerformer } from "../runs/run-performer.js"
import type { ExportFormat } from "./export-format.js"
import { type ExportCount, orBrokenOff } from "./export-rows.js"
import type { ExportSource } from "./export-source.js"
import { openCalculated } from "./open-calculated.js"
import { isStreamed, openStreamed } from "./open-streamed.js"

/** Most rows of one export. They are never all in memory, so that time alone bounds them. */
export const MAX_EXPORT_ROWS = 10_000_000

export interface ExportsDependencies extends ExportSource {
  readonly board: RunBoard
  readonly performer: RunPerformer
  readonly turns: QueryTurns
  readonly projects: ProjectSettingsReader
  readonly clock: Clock
}

/** An export that has begun: its first rows are there. */
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
  const { board, performer, turns, projects, clock, newId } = dependencies

  async function scopeOf(projectId: ProjectId, engineQueryId: string, signal: AbortSignal): Promise<RunScope> {
    const { timezone, weekStartDay } = await projects.settings(projectId)
    const limits = { engineQueryId, maxExecutionSeconds: BACKGROUND_SECONDS, signal }
    return { projectId, timezone, weekStartDay, nowMs: clock.now(), ...limits }
  }

  return {
    /**
     * Begins an export. `signal` ends it.
     * @throws AppError of the query and of the line of exports, before any row.
     */
    async open(
      projectId: ProjectId,
      request: QueryRequest,
      format: ExportFormat,
      signal: AbortSignal,
    ): Promise<OpenExport> {
      const engineQueryId = newId()
      const id = request.clientQueryId ?? newId()
      const cacheKey = `export_${engineQueryId}`
      const run = await board.begin({ projectId, id, request, cacheKey, engineQueryId, replacesComplete: true })
      if (run === null) throw new AppError("conflict", { attr: "client_query_id", detail: `Query ${id} is under way.` })

      const opened = Promise.withResolvers<OpenExport>()
      const ended = Promise.withResolvers<QueryAnswer>()
      // It may end before anybody waits for it.
      ended.promise.catch(() => undefined)
      const begin = async (ending: AbortSignal): Promise<BegunWork> => {
        const endTurn = await turns.take(projectId, ending)
        let counted: ExportCount = { rows: 0, isCut: false }
        const end = (failure?: unknown): void => {
          endTurn()
          if (failure !== undefined) ended.reject(failure)
          else ended.resolve({ exported_rows: counted.rows, has_more: counted.isCut, format })
        }
        // Also when nobody ever reads the pieces: the turn and the run would be held for good.
        ending.addEventListener("abort", () => end(ending.reason), { once: true })
        try {
          const scope = await scopeOf(projectId, engineQueryId, ending)
          const open = isStreamed(request) ? openStreamed : openCalculated
          const { pieces, count } = await open(dependencies, request, format, scope)
          counted = count
          opened.resolve({ id, count, pieces: closing(pieces, ending, end) })
        } catch (failure) {
          end(failure)
        }
        return { runsUnder: async () => engineQueryId, answer: ended.promise }
      }
      performer.perform(run, signal, begin).catch(opened.reject)
      return opened.promise
    },
  }
}

/** Passes pieces on and tells how it ended; leaving early or the signal's abort ends the source. */
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
