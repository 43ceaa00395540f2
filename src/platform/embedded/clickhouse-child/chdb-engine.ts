import { setTimeout as sleep } from "node:timers/promises"
import { type ChdbAddon, type ChdbConnection, loadChdbAddon } from "./chdb-addon.js"
import { EMBEDDED_DATABASE } from "./child-protocol.js"
import { ConnectionFactory, type FreshConnection, useDatabase } from "./connection-factory.js"
import { repairDeduplicationLogs } from "./deduplication-log-repair.js"
import { writeEngineConfiguration } from "./engine-configuration.js"
import { EngineException, toEngineException } from "./engine-exception.js"
import { prepareExchange } from "./exchange-files.js"
import { toStringLiteral } from "./sql-literal.js"
import { type StatementClass, StatementQueues } from "./statement-queues.js"
import { readInPieces } from "./streamed-answer.js"

/** One statement to run. */
export interface EngineRun {
  readonly queryId: string
  readonly statementClass: StatementClass
  readonly database: string
  readonly statement: string
  /** Rows of an INSERT; null for every other statement, and where they are in a file. */
  readonly rows: Uint8Array | null
  /** A file with the rows of an INSERT, whose statement ends in its FORMAT clause. */
  readonly rowsFile: string | null
  readonly defaultFormat: string
  readonly settings: ReadonlyMap<string, string>
  /** Values in the escaped form in which the HTTP interface takes them. */
  readonly parameters: ReadonlyMap<string, string>
  /** Aborting stops the engine's work. */
  readonly signal: AbortSignal
}

/** Its whole answer. */
export interface EngineAnswer {
  readonly bytes: Uint8Array
  readonly rowsRead: number
  readonly bytesRead: number
  readonly rowsWritten: number
  readonly bytesWritten: number
}

/** A run that has started. */
interface Execution extends FreshConnection {
  /** Closes its connection and lets the next statement start. */
  end(): void
}

const NOTHING = new Uint8Array(0)
const KILL_INTERVAL_MS = 25

/** What becomes of a run that does not end although it was told to. */
export interface StuckRuns {
  readonly afterMs: number
  readonly report: (queryId: string) => void
}

/**
 * The chDB engine on one data directory. Every run gets a connection of its own, so settings and parameters
 * of one never meet another's, and any number run side by side. Parameters are bound by `SET param_…` on that
 * connection: the addon's own binding lets only one parameterised statement of the process run at a time.
 */
export class ChdbEngine {
  private readonly connections: ConnectionFactory
  private readonly queues = new StatementQueues()
  /** Resolve when a run has ended, by its query id. */
  private readonly running = new Map<string, Promise<void>>()

  private constructor(
    private readonly addon: ChdbAddon,
    /** Nobody else may have it open; files that statements read and write lie in there, too. */
    readonly dataDirectory: string,
    /** Kept open so that the engine stays up between runs. */
    private readonly keeper: ChdbConnection,
    /** Tokens without rows that a crash had left and that were taken out; see `repairDeduplicationLogs`. */
    readonly repairedInserts: number,
    private readonly stuck: StuckRuns,
  ) {
    this.connections = new ConnectionFactory(addon, dataDirectory)
  }

  /** @throws Error when the directory is in use by another process or cannot be read. */
  static async open(dataDirectory: string, stuck: StuckRuns): Promise<ChdbEngine> {
    const repairedInserts = repairDeduplicationLogs(dataDirectory)
    prepareExchange(dataDirectory)
    const addon = loadChdbAddon()
    const keeper = addon.CreateConnection(dataDirectory, writeEngineConfiguration(dataDirectory))
    await addon.QueryAsyncConnection(
      keeper,
      `CREATE DATABASE IF NOT EXISTS ${EMBEDDED_DATABASE} ENGINE = Atomic`,
      "TSV",
    )
    return new ChdbEngine(addon, dataDirectory, keeper, repairedInserts, stuck)
  }

  /** @throws EngineException the engine's refusal; the signal's reason when it aborted before the start. */
  async run(run: EngineRun): Promise<EngineAnswer> {
    const execution = await this.begin(run)
    try {
      return await this.execute(execution, run)
    } catch (error) {
      throw toEngineException(error)
    } finally {
      execution.end()
    }
  }

  /**
   * Runs a SELECT, given without its FORMAT clause, and gives the bytes of its answer piece by piece. It begins with the
   * first `next()` and stops when the loop is left.
   * @throws EngineException as `run`, also between two pieces.
   */
  async *stream(run: EngineRun): AsyncGenerator<Uint8Array> {
    const execution = await this.begin(run)
    const { connection, database } = execution
    try {
      await this.addon.QueryAsyncConnection(connection, toPrelude(run, database), "TSV")
      const select = { statement: run.statement, format: run.defaultFormat }
      yield* readInPieces(this.addon, connection, this.dataDirectory, select)
    } catch (error) {
      throw toEngineException(error)
    } finally {
      execution.end()
    }
  }

  /** Stops every run and closes the data directory. Must be the last call. */
  async close(): Promise<void> {
    await Promise.all([...this.running].map(([queryId, ended]) => this.killUntilEnded(queryId, ended)))
    await this.connections.stop()
    this.addon.CloseConnection(this.keeper)
  }

  /** Waits until the run may start and opens a connection for it; whatever becomes of it, `end` has to be called. */
  private async begin({ queryId, statementClass, signal }: EngineRun): Promise<Execution> {
    if (this.running.has(queryId)) {
      const sentence = `Query with id = ${queryId} is already running.`
      throw new EngineException(216, "QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING", sentence)
    }
    const ended = Promise.withResolvers<void>()
    const noteEnd = (): void => {
      this.running.delete(queryId)
      ended.resolve()
    }
    this.running.set(queryId, ended.promise)
    try {
      const release = await this.queues.enter(statementClass, signal)
      const fresh = this.connections.open()
      const onAbort = (): void => void this.killUntilEnded(queryId, ended.promise)
      signal.addEventListener("abort", onAbort, { once: true })
      const end = (): void => {
        signal.removeEventListener("abort", onAbort)
        this.connections.close(fresh.connection)
        release()
        noteEnd()
      }
      return { ...fresh, end }
    } catch (error) {
      noteEnd()
      throw error
    }
  }

  private async execute({ connection, database }: FreshConnection, run: EngineRun): Promise<EngineAnswer> {
    const sql = `${toPrelude(run, database)}${run.rowsFile === null ? run.statement : withFile(run.statement, run.rowsFile)}`
    if (run.rows === null) {
      const { bytes, rowsRead, bytesRead } = await this.addon.QueryAsyncConnection(connection, sql, run.defaultFormat)
      return { bytes, rowsRead, bytesRead, rowsWritten: 0, bytesWritten: 0 }
    }
    const written = await this.addon.InsertRawAsyncConnection(connection, sql, run.rows, false)
    return { bytes: NOTHING, rowsRead: 0, bytesRead: 0, ...written }
  }

  /**
   * Asks again until the run has ended: a run that is just starting cannot be found yet. One that looks at nothing, because it
   * works on a single block of rows, is reported as stuck.
   */
  private async killUntilEnded(queryId: string, ended: Promise<void>): Promise<void> {
    const hasEnded = ended.then(() => true)
    const kill = `KILL QUERY WHERE Settings['log_comment'] = ${toStringLiteral(queryId)} ASYNC`
    const stuckAt = performance.now() + this.stuck.afterMs
    do {
      const leftMs = stuckAt - performance.now()
      if (leftMs <= 0) return this.stuck.report(queryId)
      // An engine that is busy with a block may not even answer this.
      const asked = this.addon.QueryAsyncConnection(this.keeper, kill, "TSV").catch(() => undefined)
      await Promise.race([asked, hasEnded, sleep(leftMs)])
    } while (!(await Promise.race([hasEnded, sleep(KILL_INTERVAL_MS, false)])))
  }
}

/** Nobody else can name files: `scanStatement` refuses that. */
const withFile = (insert: string, path: string): string =>
  insert.replace(/\bFORMAT\s+(\w+)\s*$/i, (_clause, format) => `FROM INFILE ${toStringLiteral(path)} FORMAT ${format}`)

/**
 * Statements that put the connection into the request's state. The query id travels as `log_comment`, because the
 * engine makes up its own `query_id`; `readonly` comes last, since nothing can be set after it.
 */
function toPrelude(run: EngineRun, chosenDatabase: string | null): string {
  const assignments = [`log_comment = ${toStringLiteral(run.queryId)}`]
  for (const [name, value] of run.parameters) assignments.push(`param_${name} = ${toStringLiteral(value)}`)
  for (const [name, value] of run.settings)
    if (name !== "readonly" && name !== "log_comment") assignments.push(`${name} = ${toStringLiteral(value)}`)
  const readonly = run.settings.get("readonly")
  if (readonly !== undefined) assignments.push(`readonly = ${toStringLiteral(readonly)}`)
  const use = run.database === chosenDatabase ? "" : `${useDatabase(run.database)}; `
  return `${use}SET ${assignments.join(", ")}; `
}
