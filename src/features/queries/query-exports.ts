import type { Readable } from "node:stream"
import type { CompiledQuery } from "../../hogql/index.js"
import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Statement } from "../../platform/clickhouse/click-house.js"
import { BACKGROUND_SECONDS } from "./calculations.js"
import { distinct, type ExportFormat } from "./export-format.js"
import { type ExportCount, readRows } from "./export-rows.js"
import type { ProjectSettingsReader, QueryAnswer, QueryRequest } from "./queries.types.js"
import type { RowStreamEngine } from "./query-engine.types.js"
import type { QueryTurns } from "./query-turns.js"
import type { RunBoard } from "./run-board.js"
import type { RunPerformer } from "./run-performer.js"
import { type KindsOver, recordQuery } from "./statement-recorder.js"

/** Most rows of one export. */
export const MAX_EXPORT_ROWS = 1_000_000
const MAX_EXPORT_BYTES = 8_000_000_000

export interface ExportsDependencies {
  readonly kindsOver: KindsOver
  readonly engine: RowStreamEngine
  readonly board: RunBoard
  readonly performer: RunPerformer
  readonly turns: QueryTurns
  readonly projects: ProjectSettingsReader
  readonly clock: Clock
  readonly newId: () => string
}

/** An export that has begun: its first rows are there. */
export interface OpenExport {
  /** Under which its status, with progress, can be asked for and it can be cancelled. */
  readonly id: string
  /** To be read to the end or left; leaving stops the engine's work. */
  readonly pieces: AsyncIterable<string | Uint8Array>
  /** Rows so far; `isCut` once it is known that there were more than `MAX_EXPORT_ROWS`. */
  readonly count: ExportCount
}

export type QueryExports = ReturnType<typeof createQueryExports>

/** Exports the rows of a query past the row cap, as they are made. Each export is a tracked run. */
export function createQueryExports(dependencies: ExportsDependencies) {
  const { kindsOver, engine, board, performer, turns, projects, clock, newId } = dependencies

  async function compile(projectId: ProjectId, request: QueryRequest, engineQueryId: string, signal: AbortSignal) {
    const { timezone, weekStartDay } = await projects.settings(projectId)
    const rowLimit = { defaultRows: MAX_EXPORT_ROWS, maxRows: MAX_EXPORT_ROWS }
    const limits = { engineQueryId, maxExecutionSeconds: BACKGROUND_SECONDS, signal, rowLimit }
    const scope = { projectId, timezone, weekStartDay, nowMs: clock.now(), ...limits }
    const recorded = await recordQuery(kindsOver, request.query, scope)
    const [statement, another] = recorded?.statements ?? []
    const compiled = statement?.compiled
    const hasRows = Array.isArray(recorded?.answer.columns) && another === undefined
    if (!hasRows || statement === undefined || compiled === undefined)
      throw new AppError("invalid_input", {
        attr: "query__kind",
        detail: `${request.query.kind.slice(0, 100)} has no rows to export. HogQLQuery, EventsQuery and ActorsQuery have.`,
      })
    return { statement, compiled, timezone }
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
      const { statement, compiled, timezone } = await compile(projectId, request, engineQueryId, signal)
      const id = request.clientQueryId ?? newId()
      const draft = {
        projectId,
        id,
        request,
        cacheKey: `export_${engineQueryId}`,
        engineQueryId,
        replacesComplete: true,
      }
      const run = await board.begin(draft)
      if (run === null) throw new AppError("conflict", { attr: "client_query_id", detail: `Query ${id} is under way.` })

      const opened = Promise.withResolvers<OpenExport>()
      const ended = Promise.withResolvers<QueryAnswer>()
      const begin = async (ending: AbortSignal) => {
        const endTurn = await turns.take(projectId, ending)
        const end = (failure?: unknown): void => {
          endTurn()
          if (failure !== undefined) ended.reject(failure)
          else ended.resolve({ exported_rows: count.rows, has_more: count.isCut, format })
        }
        const count: ExportCount = { rows: 0, isCut: false }
        try {
          const limited = withExportLimits(statement, engineQueryId, ending)
          const own = await engine.columns(statement)
          const types = own.map(({ type }) => type)
          const pieces =
            format === "parquet"
              ? await engine.stream(named(limited, own, compiled), "Parquet")
              : readRows(format, {
                  lines: await engine.stream(limited, "JSONCompactEachRow"),
                  shape: { columns: compiled.columns, types, timezone },
                  limit: compiled.limit,
                  isExact: compiled.exact,
                  count,
                })
          opened.resolve({ id, count, pieces: closing(pieces, ending, end) })
        } catch (failure) {
          end(failure)
        }
        return { engineQueryId, answer: ended.promise }
      }
      performer.perform(run, signal, begin).catch(opened.reject)
      return opened.promise
    },
  }
}

const withExportLimits = (statement: Statement, queryId: string, signal: AbortSignal): Statement => ({
  ...statement,
  queryId,
  signal,
  settings: { ...statement.settings, max_result_rows: MAX_EXPORT_ROWS + 1, max_result_bytes: MAX_EXPORT_BYTES },
})

/** Parquet takes names and the row limit from the statement itself. */
function named(statement: Statement, own: readonly { name: string }[], compiled: CompiledQuery): Statement {
  const names = distinct(compiled.columns).map(quoted)
  const columns = own.map(({ name }, index) => `${quoted(name)} AS ${names[index]}`)
  return { ...statement, sql: `SELECT ${columns.join(", ")} FROM (${statement.sql}) LIMIT ${compiled.limit}` }
}

const quoted = (name: string): string => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``

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
    failure = signal.aborted ? signal.reason : thrown
    throw failure
  } finally {
    end(failure)
  }
}
