import { Readable } from "node:stream"
import { type CompiledQuery, QUERY_SETTINGS } from "../../../hogql/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject } from "../../../kernel/json.js"
import type { Statement } from "../../../platform/clickhouse/click-house.js"
import { toTable } from "../answers/answer-table.js"
import { BACKGROUND_SECONDS } from "../answers/calculations.js"
import type { QueryEngine, RowStreamEngine } from "../engine/query-engine.types.js"
import { type KindsOver, type RecordedQuery, recordQuery } from "../engine/statement-recorder.js"
import { partNames } from "../insights/shown-columns.js"
import type { ProjectSettingsReader, QueryAnswer, QueryRequest, RunScope } from "../queries.types.js"
import { toTableStatement } from "../request/table-statement.js"
import type { QueryTurns } from "../runs/query-turns.js"
import type { RunBoard } from "../runs/run-board.js"
import type { RunPerformer } from "../runs/run-performer.js"
import { createRowWriter, type ExportFormat, withFormatOf } from "./export-format.js"
import { type ExportCount, type RowCount, readRows } from "./export-rows.js"
import { orTooManyRows, toParquetStatement } from "./parquet.js"

/** Most rows of one export. They are never all in memory, so that time alone bounds them. */
export const MAX_EXPORT_ROWS = 10_000_000
const MAX_EXPORT_BYTES = 8_000_000_000

export interface ExportsDependencies {
  readonly kindsOver: KindsOver
  readonly engine: QueryEngine & RowStreamEngine
  readonly board: RunBoard
  readonly performer: RunPerformer
  readonly turns: QueryTurns
  readonly projects: ProjectSettingsReader
  readonly clock: Clock
  readonly newId: () => string
  /** Most rows of one export. */
  readonly maxRows: number
}

/** Kinds whose rows are those of one statement, so that they go out as they are made; the others are calculated first. */
const STREAMED_KINDS: ReadonlySet<string> = new Set([
  ...["HogQLQuery", "EventsQuery", "ActorsQuery", "PersonsQuery", "GroupsQuery"],
])

/** Actors of an insight take more than one statement. */
const isStreamed = ({ query }: QueryRequest): boolean =>
  STREAMED_KINDS.has(query.kind) && (!isJsonObject(query.source) || query.source.kind === "HogQLQuery")

interface Opened {
  readonly count: ExportCount
  readonly pieces: Readable | AsyncIterable<string>
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

const unsupported = ({ query }: QueryRequest): AppError =>
  new AppError("invalid_input", {
    attr: "query__kind",
    detail: `Unsupported query kind: ${query.kind.slice(0, 100)}`,
  })

/** Exports the rows of a query past the row cap, as they are made. Each export is a tracked run. */
export function createQueryExports(dependencies: ExportsDependencies) {
  const { kindsOver, engine, board, performer, turns, projects, clock, newId, maxRows } = dependencies

  async function scopeOf(projectId: ProjectId, engineQueryId: string, signal: AbortSignal): Promise<RunScope> {
    const { timezone, weekStartDay } = await projects.settings(projectId)
    const limits = { engineQueryId, maxExecutionSeconds: BACKGROUND_SECONDS, signal }
    return { projectId, timezone, weekStartDay, nowMs: clock.now(), ...limits }
  }

  /** The rows of one statement, as the engine makes them. */
  async function openStreamed(request: QueryRequest, format: ExportFormat, scope: RunScope): Promise<Opened> {
    const rowLimit = { defaultRows: maxRows, maxRows }
    const recorded = await recordQuery(kindsOver, request.query, { ...scope, rowLimit })
    const statement = recorded?.statements[0]
    const compiled = statement?.compiled
    if (statement === undefined || compiled === undefined) throw unsupported(request)
    const { limit, exact: isExact } = compiled
    const own = await engine.columns(statement)
    const columns = namesOf(request, recorded, compiled)
    if (format === "parquet") {
      const whole = toParquetStatement(statement, own, columns, limit < maxRows ? limit : null)
      const limited = withExportLimits(whole, scope.engineQueryId, scope.signal, maxRows)
      return {
        count: { rows: null, isCut: false },
        pieces: await orTooManyRows(engine.stream(limited, "Parquet"), maxRows),
      }
    }
    const count: RowCount = { rows: 0, isCut: false }
    const limited = withExportLimits(statement, scope.engineQueryId, scope.signal, maxRows + 1)
    const lines = await engine.stream(withFormatOf(format, limited), "JSONCompactEachRow")
    const shape = { columns, types: own.map(({ type }) => type), timezone: scope.timezone }
    return { count, pieces: readRows(format, { lines, shape, limit, isExact, count }) }
  }

  /** The answer of a kind that works on what it reads, as a table. */
  async function openCalculated(request: QueryRequest, format: ExportFormat, scope: RunScope): Promise<Opened> {
    const kind = kindsOver(engine).find(({ kind: name }) => name === request.query.kind)
    if (kind === undefined) throw unsupported(request)
    const answer = await kind.run(request.query, scope)
    const table = toTable(answer)
    const count: ExportCount = { rows: table.rows.length, isCut: answer.hasMore === true }
    if (format !== "parquet") {
      const writer = createRowWriter(format, { columns: table.columns, types: [], timezone: scope.timezone })
      return { count, pieces: Readable.from([writer.head, writer.write(table.rows)]) }
    }
    const statement = toTableStatement(table)
    if (statement === null)
      throw new AppError("invalid_input", { attr: "format", detail: "The answer is too large for Parquet: use jsonl." })
    const limited = withExportLimits({ ...statement, settings: QUERY_SETTINGS }, newId(), scope.signal, maxRows)
    return { count, pieces: await engine.stream(limited, "Parquet") }
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
      const begin = async (ending: AbortSignal) => {
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
          const { pieces, count } = await open(request, format, scope)
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

const withExportLimits = (statement: Statement, queryId: string, signal: AbortSignal, maxRows: number): Statement => ({
  ...statement,
  queryId,
  signal,
  settings: { ...statement.settings, max_result_rows: maxRows, max_result_bytes: MAX_EXPORT_BYTES },
})

/** Names as they were asked for; a table of objects has a column for each of their parts. */
function namesOf({ query }: QueryRequest, recorded: RecordedQuery | null, compiled: CompiledQuery): readonly string[] {
  const { columns } = recorded?.answer ?? {}
  if (query.kind === "HogQLQuery" || !Array.isArray(columns)) return compiled.columns
  const names = partNames(query.kind, columns.map(String))
  return compiled.columns.map((name, index) => names[index] ?? name)
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
    failure = signal.aborted ? signal.reason : thrown
    throw failure
  } finally {
    end(failure)
  }
}
