import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Stream } from "../../kernel/stream-until-left.js"
import { answerBody } from "./answers/query-answers.js"
import { decideRefresh } from "./cache/refresh-decision.js"
import { resolveQuery } from "./execution/query-execution.js"
import type { QueryResultCache, QuerySettingsReader } from "./queries.types.js"
import { isFinal, type QueryRun } from "./runs/query-run.js"
import type { QueryRunTracker } from "./runs/query-run-tracker.js"
import { type StatusWait, waitForChange } from "./runs/wait-for-change.js"
import { unknownRun } from "./runs/watch-runs.js"

/** Runs whose states are asked for together. */
const MAX_RUNS_AT_ONCE = 100

export interface FollowRunsDependencies {
  readonly tracker: QueryRunTracker
  readonly cache: QueryResultCache
  readonly projects: QuerySettingsReader
  readonly clock: Clock
}

/**
 * Use cases of tracked runs, by their id. Each throws AppError not_found for an unknown, expired or foreign one. `stopping`
 * ends the waiting.
 */
export function createFollowRuns(dependencies: FollowRunsDependencies, stopping: AbortSignal) {
  const { tracker, cache, projects, clock } = dependencies

  /** A run whose status has expired, with its answer when the result cache still has it. */
  async function revive(projectId: ProjectId, id: string): Promise<QueryRun | null> {
    const run = await tracker.findExpired(projectId, id)
    const cached = run && (await cache.find(run.cacheKey))
    if (!run || !cached) return null
    const resolved = await resolveQuery(projects, projectId, run.request.query)
    const decision = decideRefresh({ mode: "force_cache", ...resolved, cached, nowMs: clock.now() })
    const isStale = decision.do === "serve" && decision.isStale
    return { ...run, answer: answerBody(cached, resolved, { isCached: true, isStale }) }
  }

  return {
    /** The present state of a run, or the next one with `wait`. Knows expired runs whose answer is still kept. */
    async status(projectId: ProjectId, id: string, wait: StatusWait | null = null): Promise<QueryRun> {
      const run = (await tracker.find(projectId, id)) ?? (await revive(projectId, id))
      if (run === null) throw unknownRun({ projectId, id })
      if (wait === null || isFinal(run.state)) return run
      return waitForChange(tracker, run, wait, stopping)
    },

    /** The present state of each of these runs, read together, in their order; null for an id that is not known. */
    async statuses(projectId: ProjectId, ids: readonly string[]): Promise<(QueryRun | null)[]> {
      const known = new Map((await tracker.findAll(toNames(projectId, ids))).map((run) => [run.id, run]))
      return Promise.all(ids.map((id) => known.get(id) ?? revive(projectId, id)))
    },

    /**
     * The present state of each of these runs first, then each later one; ends after the last final one.
     * @throws AppError not_found for one that is unknown.
     */
    watch: (projectId: ProjectId, ids: readonly string[]): Promise<Stream<QueryRun>> =>
      tracker.watch(toNames(projectId, new Set(ids))),

    /**
     * Stops a run: whoever executes it stops the engine's work. The status of a finished run is dropped instead: in both
     * cases REST knows the id no more (`docs/contract/queries.md#status-paths`). With `isDequeueOnly` a run that has been
     * picked up goes on.
     */
    async cancel(projectId: ProjectId, id: string, isDequeueOnly = false): Promise<QueryRun> {
      const run = await tracker.find(projectId, id)
      if (run === null) throw unknownRun({ projectId, id })
      if (isFinal(run.state)) {
        await tracker.forget(run)
        return run
      }
      if (isDequeueOnly && run.state === "running") return run
      const cancelled = await tracker.move(run, "cancelled", { errorMessage: "The query was cancelled." })
      return cancelled ?? (await tracker.find(projectId, id)) ?? run
    },
  }
}

/** @throws AppError invalid_input for more than are followed at once. */
function toNames(projectId: ProjectId, ids: Iterable<string>) {
  const names = Array.from(ids, (id) => ({ projectId, id }))
  if (names.length <= MAX_RUNS_AT_ONCE) return names
  throw new AppError("invalid_input", { attr: "ids", detail: `Give at most ${MAX_RUNS_AT_ONCE} ids.` })
}
