import {
  type CompiledQuery,
  compile,
  compileSelect,
  type HogqlQuery,
  type HogqlScope,
  QUERY_SETTINGS,
  type Query,
} from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import type { Json } from "../../../kernel/json.js"
import type { QueryEngine } from "../engine/query-engine.types.js"
import { orQueryFault } from "../insights/query-fault.js"
import { toWireRows } from "../insights/wire-value.js"
import type { RunScope } from "../queries.types.js"
import { toHogqlScope } from "../schema/hogql-scope.js"
import type { QuerySchemaReader } from "../schema/query-schema.types.js"
import { watchSchema } from "../schema/watched-schema.js"

/** What one compiled query gave. */
export interface HogqlResult {
  readonly compiled: CompiledQuery
  /** The engine's type of each column. */
  readonly types: readonly string[]
  /** Rows to show: values as answers show them, the one row too many cut off. */
  readonly rows: readonly (readonly Json[])[]
  readonly hasMore: boolean
  readonly elapsedMs: number
}

/** Compiles and runs queries for every kind: compile → guard → engine. */
export interface HogqlRunner {
  /** What the project's queries mean just now. */
  scopeOf(run: RunScope): Promise<HogqlScope>
  /** @throws AppError hogql_syntax_error, hogql_query_error, and those of the engine. */
  runText(query: HogqlQuery, run: RunScope): Promise<HogqlResult>
  /**
   * As `runText`, for a query that was built from nodes; gives every row unless it has a LIMIT. Its numbers can be
   * calculated with, unless they are to be shown: then they are as exact as those of a text.
   * @throws AppError hogql_query_error as well when a query without a LIMIT has more than 50,000 rows.
   */
  runNodes(query: Query, run: RunScope, options?: NodesOptions): Promise<HogqlResult>
  /**
   * Does the work of a run. Queries are compiled with what is remembered of the project; when that was about cohorts or group
   * types, which have changed meanwhile, nothing was read with it and the work is done over.
   */
  settled<T>(run: RunScope, work: () => Promise<T>): Promise<T>
}

/** How a query that was built from nodes is run. */
export interface NodesOptions {
  /** Whether its numbers are shown as they are instead of calculated with. */
  readonly isShown?: boolean
  /** Rows that the engine hands on at a time, where its own choice (65,409) is not the best. */
  readonly blockRows?: number
}

/** Insights need all their rows: what the engine's own limit allows. */
const EVERY_ROW = { defaultRows: 50_000, maxRows: 50_000 } as const

/** What one run knows of its project. */
interface Known {
  readonly scope: HogqlScope
  /** False when the run has asked for cohorts or group types that are no longer so. */
  isCurrent(): Promise<boolean> | true
}

/** Runs queries on an engine. Of one run the project's schema is read once, however many queries it takes. */
export function createHogqlRunner(engine: QueryEngine, schemas: QuerySchemaReader): HogqlRunner {
  const known = new WeakMap<RunScope, Promise<Known>>()

  async function perform(
    compiled: CompiledQuery,
    run: RunScope,
    { isShown: isExact = false, blockRows }: NodesOptions,
  ): Promise<HogqlResult> {
    await run.mayRead
    if ((await isCurrent(run)) === false) throw new Error("compiled with cohorts or group types that have changed")
    const result = await engine.select({
      compiled,
      sql: compiled.sql,
      parameters: compiled.parameters,
      queryId: run.engineQueryId,
      signal: run.signal,
      isExact,
      settings: {
        ...QUERY_SETTINGS,
        max_execution_time: run.maxExecutionSeconds,
        // Times with their zone, so that no hour of a clock set back is ambiguous.
        date_time_output_format: "iso",
        ...(blockRows !== undefined && { max_block_size: blockRows }),
      },
    })
    const shown = compiled.exact ? result.rows : result.rows.slice(0, compiled.limit)
    const types = result.columns.map(({ type }) => type)
    return {
      compiled,
      types,
      rows: toWireRows(shown, types, run.timezone),
      hasMore: result.rows.length > shown.length,
      elapsedMs: result.elapsedMs,
    }
  }

  async function readAnew(run: RunScope): Promise<Known> {
    return { scope: toHogqlScope(await schemas.read(run.projectId), run), isCurrent: () => true }
  }

  async function recall(run: RunScope): Promise<Known> {
    const remembered = schemas.remembered?.(run.projectId) ?? null
    if (remembered === null) return readAnew(run)
    const { schema, wasAskedForWhatChanges } = watchSchema(await remembered.schema)
    let current: Promise<boolean> | null = null
    const ask = (): Promise<boolean> => {
      current ??= remembered.isCurrent()
      return current
    }
    return { scope: toHogqlScope(schema, run), isCurrent: () => (wasAskedForWhatChanges() ? ask() : true) }
  }

  /** Once for all statements of a run, which mean the same then. */
  async function scopeOf(run: RunScope): Promise<HogqlScope> {
    const before = known.get(run)
    if (before !== undefined) return (await before).scope
    const now = recall(run)
    known.set(run, now)
    return (await now).scope
  }

  const isCurrent = async (run: RunScope): Promise<boolean> => (await known.get(run))?.isCurrent() ?? true

  return {
    scopeOf,
    async settled(run, work) {
      const [outcome] = await Promise.allSettled([work()])
      const mayStay = await isCurrent(run).catch((failure) => {
        if (outcome.status === "rejected") throw outcome.reason
        throw failure
      })
      if (!mayStay) {
        known.set(run, readAnew(run))
        return work()
      }
      if (outcome.status === "rejected") throw outcome.reason
      return outcome.value
    },
    async runText(query, run) {
      const scope = await scopeOf(run)
      return perform(await orQueryFault(() => compile(query, scope)), run, { isShown: true })
    },
    async runNodes(query, run, options = {}) {
      const scope = { ...(await scopeOf(run)), rowLimit: run.rowLimit ?? EVERY_ROW, readsInPlace: true }
      const result = await perform(await orQueryFault(() => compileSelect(query, scope)), run, options)
      if (result.hasMore && asksForAllRows(query)) throw tooManyRows(result.compiled.limit)
      return result
    },
  }
}

const asksForAllRows = (query: Query): boolean => query.kind === "selectSet" || query.limit === null

/** Numbers of only some of the rows would be wrong ones (decision 0022). */
const tooManyRows = (limit: number): AppError =>
  new AppError("hogql_query_error", {
    detail: `The answer is made from more than ${limit} rows. Ask for fewer intervals, or for fewer values of a breakdown.`,
  })
