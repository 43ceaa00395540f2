import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { asOrganizationId, type ProjectId } from "../../../kernel/ids.js"
import type { Principal } from "../../../kernel/request-context.js"
import type { OrganizationAccess } from "../../access/index.js"
import type { ProjectDirectory } from "../../projects/index.js"
import type { DeletionOutcome, ProjectDeletionRepository } from "./project-deletion.repository.js"

export interface ProjectDeletionsDependencies {
  readonly repository: ProjectDeletionRepository
  readonly organizations: Pick<OrganizationAccess, "require">
  readonly directory: Pick<ProjectDirectory, "announceChange" | "findOrganizationId">
  /** Tells every process that what users and keys may see has changed. */
  readonly announceAccess: () => Promise<void>
  readonly clock: Clock
}

export type ProjectDeletionsService = ReturnType<typeof createProjectDeletionsService>

/** Use cases of deleting projects and organizations. Their keys and records are gone at once, the rest soon after. */
export function createProjectDeletionsService(dependencies: ProjectDeletionsDependencies) {
  const { repository, organizations, directory, announceAccess, clock } = dependencies
  const by = ({ userId }: Principal) => ({ userId, at: new Date(clock.now()) })

  async function finish(outcome: DeletionOutcome, detail: string): Promise<void> {
    if (outcome === "not found") throw new AppError("not_found", { detail })
    if (outcome === "another name")
      throw new AppError("invalid_input", { attr: "name", detail: "This is not its name: nothing was deleted." })
    if (outcome === "last project")
      throw new AppError("invalid_input", { detail: "An installation keeps one project at least." })
    for (const projectId of outcome) await directory.announceChange(projectId)
    await announceAccess()
  }

  return {
    /**
     * For admins and owners.
     * @param name of the project, so that nobody deletes another one.
     * @throws AppError permission_denied, not_found, invalid_input.
     */
    async deleteProject(principal: Principal, projectId: ProjectId, name: string): Promise<void> {
      await organizations.require(principal, await directory.findOrganizationId(projectId), "admin")
      await finish(await repository.deleteProject(projectId, name, by(principal)), "Project not found.")
    },
    /** With all its projects; for owners. As `deleteProject`. */
    async deleteOrganization(principal: Principal, requestedId: string, name: string): Promise<void> {
      const id = asOrganizationId(await organizations.require(principal, requestedId, "owner"))
      await finish(await repository.deleteOrganization(id, name, by(principal)), "Organization not found.")
    },
  }
}
