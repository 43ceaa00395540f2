import type { ProjectId } from "../../../kernel/ids.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { ProjectDirectory, RuleSnapshots } from "../flags.types.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import type { KnownProjects } from "./known-projects.store.js"

export interface ProjectForgetterDependencies {
  readonly directory: Pick<ProjectDirectory, "findById" | "onChange">
  readonly rules: Pick<FlagRulesService, "forget">
  readonly known: Pick<KnownProjects, "forget" | "listProjectIds">
  readonly snapshots: Pick<RuleSnapshots, "listProjectIds">
  readonly logger: Pick<Logger, "warn">
}

/** Forgets rules and keys of projects that are deleted: at once, and at the start those that went meanwhile. */
export function createProjectForgetter(dependencies: ProjectForgetterDependencies) {
  const { directory, rules, known, snapshots, logger } = dependencies
  let stopListening = (): void => undefined

  async function forgetGone(projectIds: Iterable<ProjectId>): Promise<void> {
    try {
      for (const projectId of projectIds) {
        if ((await directory.findById(projectId)) !== null) continue
        known.forget(projectId)
        await rules.forget(projectId)
      }
    } catch (err) {
      logger.warn("flag rules of deleted projects will be forgotten at the next start", { err })
    }
  }

  return {
    async start(): Promise<void> {
      stopListening = directory.onChange((projectId) => void forgetGone([projectId]))
      // Not awaited: flags are decided also while nobody can say which projects there are.
      void forgetGone(new Set([...(await snapshots.listProjectIds()), ...known.listProjectIds()]))
    },
    stop: () => stopListening(),
  }
}
