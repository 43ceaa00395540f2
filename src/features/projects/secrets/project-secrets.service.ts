import { AppError } from "../../../kernel/errors.js"
import { isUuid, type ProjectId } from "../../../kernel/ids.js"
import type { Principal } from "../../../kernel/request-context.js"
import { createSecret, PROJECT_SECRET_PREFIX } from "../../access/index.js"
import type { ProjectDependencies } from "../projects.service.js"
import type { IssuedProjectSecret, ProjectSecret } from "./project-secret.graphql.js"
import type { ProjectSecretRepository } from "./project-secret.repository.js"

/** The one in use and the one that replaces it (`docs/contract/flags.md#local-evaluation`, "primary or backup"). */
const MAX_LIVE = 2

/** Use cases on a project's secret keys, for admins and owners. */
export type ProjectSecretsService = ReturnType<typeof createProjectSecretsService>

/**
 * Makes the use cases of a project's secret keys.
 * @param announceChange announces to every process that keys have changed.
 */
export function createProjectSecretsService(
  repository: ProjectSecretRepository,
  { requireAdmin, clock, ids }: ProjectDependencies,
  announceChange: () => Promise<void>,
) {
  const now = () => new Date(clock.now())
  return {
    list: (projectId: ProjectId): Promise<ProjectSecret[]> => repository.list(projectId),
    /** @throws AppError permission_denied, invalid_input when two keys are live. */
    create: async (principal: Principal, projectId: ProjectId): Promise<IssuedProjectSecret> => {
      await requireAdmin(principal, projectId)
      const value = ids.secret(PROJECT_SECRET_PREFIX)
      const created = await repository.insert(projectId, createSecret(ids, value), principal.userId, now(), MAX_LIVE)
      if (created !== null) return { ...created, value }
      const detail = `A project has at most ${MAX_LIVE} live secret keys; revoke one first.`
      throw new AppError("invalid_input", { detail })
    },
    /** @throws AppError permission_denied, not_found. */
    revoke: async (principal: Principal, projectId: ProjectId, id: string): Promise<void> => {
      await requireAdmin(principal, projectId)
      const wasLive = isUuid(id) && (await repository.revoke(projectId, id.toLowerCase(), principal.userId, now()))
      await announceChange()
      if (!wasLive) throw new AppError("not_found")
    },
  }
}
