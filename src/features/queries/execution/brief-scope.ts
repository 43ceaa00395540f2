import type { ProjectId } from "../../../kernel/ids.js"
import type { ProjectSettingsReader, RunScope } from "../queries.types.js"

const MAX_EXECUTION_SECONDS = 10

export interface BriefScopeDependencies {
  readonly projects: ProjectSettingsReader
  readonly nowMs: () => number
  readonly newId: () => string
}

/** Gives what a query of a project is compiled with, and run for a few seconds at most. */
export type FindBriefScope = (projectId: ProjectId) => Promise<RunScope>

/** Scopes for what is asked about a query rather than by it. */
export const createBriefScope =
  ({ projects, nowMs, newId }: BriefScopeDependencies): FindBriefScope =>
  async (projectId) => {
    const { timezone, weekStartDay, pathCleaning } = await projects.settings(projectId)
    const signal = AbortSignal.timeout((MAX_EXECUTION_SECONDS + 5) * 1000)
    const run = { engineQueryId: newId(), maxExecutionSeconds: MAX_EXECUTION_SECONDS, signal }
    return { projectId, timezone, weekStartDay, pathCleaning, nowMs: nowMs(), ...run }
  }
