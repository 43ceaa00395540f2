import type { ProjectId } from "../../../kernel/ids.js"
import type { EngineProgress, QueryAnswer, QueryRequest } from "../queries.types.js"
import type { QueryRun, RunState } from "./query-run.js"
import type { RunName } from "./run-feeds.js"

/** A run to be stored. */
export interface NewRun {
  readonly projectId: ProjectId
  readonly id: string
  readonly request: QueryRequest
  readonly cacheKey: string
  readonly engineQueryId: string
  /** `running` and `complete` are for runs that no background worker has to take. */
  readonly state: "queued" | "running" | "complete"
  readonly answer?: QueryAnswer
  /** Whether a complete run of the same id and query gives way to this one. */
  readonly replacesComplete: boolean
  readonly queuedAt: Date
  readonly expiresAt: Date
}

/** What may change with a transition. */
export interface RunChange {
  readonly errorMessage?: string
  readonly answer?: QueryAnswer
  readonly progress?: EngineProgress | null
  readonly at: Date
}

/** Tracked runs as they are stored: they survive a restart, and every process sees the same state. */
export interface QueryRunStore {
  /** Null for an unknown or expired id. */
  find(projectId: ProjectId, id: string): Promise<QueryRun | null>
  /** A complete run whose status has expired; its answer may still be in the result cache. */
  findExpired(projectId: ProjectId, id: string): Promise<QueryRun | null>
  /** Sequence of each of these runs that is known, in any order. */
  sequences(names: readonly RunName[]): Promise<(RunName & { sequence: number })[]>
  countQueued(projectId: ProjectId): Promise<number>
  /** Runs of all projects, in any order. */
  listRunning(): Promise<QueryRun[]>
  /**
   * Makes a run, replacing one of the same id that failed, was cancelled, expired, or answers another query. Null when
   * there is one that is under way or that has the answer already.
   * @throws AppError invalid_input for an answer that is too large to be kept.
   */
  insert(run: NewRun): Promise<QueryRun | null>
  /**
   * Moves this attempt of a run along an arrow of the transition table. Null when it is not in a state from which that
   * is allowed, or when another attempt has taken the id.
   * @throws AppError invalid_input for an answer that is too large to be kept.
   */
  move(run: QueryRun, to: RunState, change: RunChange): Promise<QueryRun | null>
  /**
   * Takes the next queued run for a worker, or null. Projects with fewer running runs come first, and a worker runs at
   * most `maxPerProject` of one, so that no project can keep the others waiting. Several workers may claim side by side.
   */
  claimNext(workerId: string, maxPerProject: number, at: Date): Promise<QueryRun | null>
  /** Ends a run as failed unless it has changed since it was read. */
  failUnchanged(run: QueryRun, at: Date, reason: string): Promise<QueryRun | null>
  /** Ends runs that have waited too long for a worker. */
  failWaiting(at: Date, reason: string): Promise<QueryRun[]>
  /** Drops this attempt of a run. */
  delete(run: QueryRun): Promise<void>
  /** Drops the answers of expired runs, and later the runs themselves. */
  deleteExpired(): Promise<void>
}
