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
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { QueryEngine } from "../engine/query-engine.types.js"
import { toWireRows } from "../insights/wire-value.js"
import type { RunScope } from "../queries.types.js"
import type { RecordTable } from "../request/demanded-scopes.js"
import { toHogqlScope } from "../schema/hogql-scope.js"
import type { QuerySchemaReader } from "../schema/query-schema.types.js"
import { watchSchema } from "../schema/watched-schema.js"

/** What one compiled query gave. */
export interface HogqlResult {
  readonly compiled: CompiledQuery
  /** The engine's type of each column. */
  readonly types: readonly string[]
  /** Rows to show, formatted as in answers, without the extra row that only shows whether there are more. */
  readonly rows: Json[][]
  readonly hasMore: boolean
  readonly elapsedMs: number
}

/** How a query that was built from nodes is run. */
export interface SelectOptions {
  /** Whether numbers are shown with all digits, as the caller does not calculate with them. */
  readonly isShown?: boolean
  /** ClickHouse's `max_block_size`, where its default (65,409) is not the best. */
  readonly blockRows?: number
}

/** Of JSON that is shown: the engine counts a column that is the same in all rows once, here it is written in each. */
const MAX_ANSWER_BYTES = 40_000_000
/** Of rows that are calculated with and not shown. */
const MAX_INTERMEDIATE_BYTES = 200_000_000

/** Insights need all their rows, up to the engine's limit. */
const EVERY_ROW = { defaultRows: 50_000, maxRows: 50_000 } as const

/** Lines of a plan that count parts and granules of a whole table: they are those of all projects. */
const TELLS_ROWS = /^[\s│]*(?:Parts|Granules|Ranges|Rows|Marks): /

/** What a run knows of its project. */
interface KnownSchema {
  readonly scope: HogqlScope
  /** False when the run has used cohorts or group types that have changed since. */
  isCurrent(): Promise<boolean> | true
}

/** A run with the tables of records that its query names. */
export interface AskedRun {
  readonly run: RunScope
  readonly records: readonly RecordTable[]
}

/** One run of a query as its kind sees it: its project, and the engine that executes its statements. */
export class KindContext {
  #schema: Promise<KnownSchema> | null = null

  constructor(
    readonly run: RunScope,
    private readonly engine: QueryEngine,
    private readonly readSchema: () => Promise<KnownSchema>,
    private readonly nextStatementId: () => string,
  ) {}

  /** What HogQL means in the project just now; the same for all statements of the run. */
  async hogqlScope(): Promise<HogqlScope> {
    this.#schema ??= this.readSchema()
    return (await this.#schema).scope
  }

  /** Whether all cohorts and group types that the run has used are still the same. */
  async isCurrent(): Promise<boolean> {
    return this.#schema === null || (await this.#schema).isCurrent()
  }

  /** Compiles a text and runs it. @throws HogqlError for the text, AppError of the engine. */
  async selectText(query: HogqlQuery): Promise<HogqlResult> {
    return this.#execute(await compile(query, await this.hogqlScope()), { isShown: true })
  }

  /**
   * As `selectText`, for a query that was built from nodes; gives every row unless it has a LIMIT. Its numbers can be
   * calculated with, unless they are to be shown: then they are as exact as those of a text.
   * @throws AppError hogql_query_error as well when a query without a LIMIT has more than 50,000 rows.
   */
  async select(query: Query, options: SelectOptions = {}): Promise<HogqlResult> {
    const scope = { ...(await this.hogqlScope()), rowLimit: this.run.rowLimit ?? EVERY_ROW, inlinesSubqueries: true }
    const result = await this.#execute(compileSelect(query, scope), options)
    if (result.hasMore && asksForAllRows(query)) throw tooManyRows(result.compiled.limit)
    return result
  }

  /** How the engine goes about a query, line by line, without what tells of other projects' rows. */
  async explain(compiled: CompiledQuery): Promise<string[]> {
    const { rows } = await this.engine.select({
      sql: `EXPLAIN PLAN indexes = 1 ${compiled.sql}`,
      parameters: compiled.parameters,
      queryId: this.nextStatementId(),
      signal: this.run.signal,
      settings: { ...QUERY_SETTINGS, max_execution_time: this.run.maxExecutionSeconds },
    })
    return rows.map(([line]) => String(line)).filter((line) => !TELLS_ROWS.test(line))
  }

  async #execute(compiled: CompiledQuery, { isShown = false, blockRows }: SelectOptions): Promise<HogqlResult> {
    const { run } = this
    const rows = Math.min(blockRows ?? Number.POSITIVE_INFINITY, compiled.blockRows ?? Number.POSITIVE_INFINITY)
    await run.mayRead
    if (!(await this.isCurrent())) throw new Error("compiled with cohorts or group types that have changed")
    const result = await this.engine.select({
      compiled,
      sql: compiled.sql,
      parameters: compiled.parameters,
      queryId: this.nextStatementId(),
      signal: run.signal,
      isExact: isShown,
      ...(isShown && { maxAnswerBytes: MAX_ANSWER_BYTES }),
      settings: {
        ...QUERY_SETTINGS,
        ...(!isShown && { max_result_bytes: MAX_INTERMEDIATE_BYTES }),
        max_execution_time: run.maxExecutionSeconds,
        // Times with their zone, so that no hour of a clock set back is ambiguous.
        date_time_output_format: "iso",
        ...(Number.isFinite(rows) && { max_block_size: rows }),
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
}

/**
 * Does the work of a run with a schema that is current. The work begins with the cached schema. If it looks at cohorts or group
 * types, and those have changed meanwhile, it fails before it reads any data and is done again with a new schema.
 */
export async function withCurrentSchema<T>(
  engine: QueryEngine,
  schemas: QuerySchemaReader,
  asked: AskedRun,
  work: (context: KindContext) => Promise<T>,
): Promise<T> {
  const { run } = asked
  const nextStatementId = numberStatements(run.engineQueryId)
  const context = new KindContext(run, engine, () => readCachedSchema(schemas, asked), nextStatementId)
  const [outcome] = await Promise.allSettled([work(context)])
  const isCurrent = await context.isCurrent().catch((failure) => {
    throw outcome.status === "rejected" ? outcome.reason : failure
  })
  if (!isCurrent) return work(new KindContext(run, engine, () => readSchema(schemas, asked), nextStatementId))
  if (outcome.status === "rejected") throw outcome.reason
  return outcome.value
}

/** An id for each statement of a run, as the engine refuses two at once that share one. */
function numberStatements(engineQueryId: string): () => string {
  let statements = 0
  return () => {
    statements++
    return statements === 1 ? engineQueryId : `${engineQueryId}/${statements}`
  }
}

async function readSchema(schemas: QuerySchemaReader, { run, records: tables }: AskedRun): Promise<KnownSchema> {
  const [schema, records] = await Promise.all([
    schemas.read(run.projectId),
    readRecords(schemas, run.projectId, tables),
  ])
  return { scope: { ...toHogqlScope(schema, run), records }, isCurrent: () => true }
}

async function readRecords(
  schemas: QuerySchemaReader,
  projectId: ProjectId,
  tables: readonly RecordTable[],
): Promise<ReadonlyMap<string, string>> {
  const read = async (table: RecordTable) => [table, (await schemas.readRecords?.(projectId, table)) ?? "[]"] as const
  return new Map(await Promise.all(tables.map(read)))
}

/** The cached schema, which records whether cohorts or group types are used; a new one where none is cached. */
async function readCachedSchema(schemas: QuerySchemaReader, asked: AskedRun): Promise<KnownSchema> {
  const { run, records: tables } = asked
  const cached = tables.length > 0 ? null : (schemas.findCached?.(run.projectId) ?? null)
  if (cached === null) return readSchema(schemas, asked)
  const { schema, usesCohortsOrGroups } = watchSchema(await cached.schema)
  let current: Promise<boolean> | null = null
  const check = (): Promise<boolean> => {
    current ??= cached.isCurrent()
    return current
  }
  return { scope: toHogqlScope(schema, run), isCurrent: () => (usesCohortsOrGroups() ? check() : true) }
}

const asksForAllRows = (query: Query): boolean => query.kind === "selectSet" || query.limit === null

/** Numbers calculated from some of the rows would be wrong (decision 0022). */
const tooManyRows = (limit: number): AppError =>
  new AppError("hogql_query_error", {
    detail: `The answer is made from more than ${limit} rows. Ask for fewer intervals, or for fewer values of a breakdown.`,
  })
