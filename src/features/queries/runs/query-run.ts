import type { PublicError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { EngineProgress, QueryAnswer, QueryRequest } from "../queries.types.js"

/** Where a run stands; `TRANSITIONS` says what may follow. */
export type RunState = "queued" | "running" | "complete" | "failed" | "cancelled"

/** What a run failed with, as a blocking query would have been answered. */
export interface RunError {
  /** The code on the wire. */
  readonly code: string
  /** Characters of the query's text from and up to which it is about; null when it is about all of it. */
  readonly start: number | null
  readonly end: number | null
}

/** The code of a run whose process ended before it: no fault of a request has it. */
export const INTERRUPTED = "query_interrupted"

/** A fault as a run keeps it, without its sentence. */
export function toRunError({ wireCode, extra = {} }: PublicError): RunError {
  const toPlace = (value: unknown): number | null => (typeof value === "number" ? value : null)
  return { code: wireCode, start: toPlace(extra.start), end: toPlace(extra.end) }
}

/** One tracked run: what REST polling, long-polling and subscriptions all read. */
export interface QueryRun {
  readonly projectId: ProjectId
  readonly id: string
  readonly state: RunState
  readonly request: QueryRequest
  readonly cacheKey: string
  readonly engineQueryId: string
  readonly errorMessage: string | null
  /** What it failed with; null unless it did. */
  readonly error: RunError | null
  readonly answer: QueryAnswer | null
  readonly progress: EngineProgress | null
  /** Grows by one with every published change. */
  readonly sequence: number
  readonly queuedAt: Date
  readonly pickedUpAt: Date | null
  readonly endedAt: Date | null
  readonly expiresAt: Date
}

/** Which state may follow which. The store changes a run only along these arrows, whoever asks. */
const TRANSITIONS: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ["running", "failed", "cancelled"],
  running: ["running", "complete", "failed", "cancelled"],
  complete: [],
  failed: [],
  cancelled: [],
}

/** States from which `to` can be reached. */
export const statesBefore = (to: RunState): RunState[] =>
  (Object.keys(TRANSITIONS) as RunState[]).filter((from) => TRANSITIONS[from].includes(to))

/** Whether nothing can happen to the run any more. */
export const isFinal = (state: RunState): boolean => TRANSITIONS[state].length === 0

/** A run that has waited this long is given up, while its status is still kept. */
export const MAX_WAIT_MINUTES = 10

/** How long a status is kept after the run was asked for (`docs/contract/queries.md#query-status`). */
export const RETENTION_MINUTES = 20

/** How long it is kept at least from when it was picked up and from its end, however long the run waited and took. */
export const KEPT_MINUTES = { pickedUp: 20, ended: 10 } as const
