import type { EntityManager } from "@mikro-orm/postgresql"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { OrganizationEntity, recordActivity } from "../../access/index.js"
import { ProjectEntity } from "../../projects/index.js"

/** Two that go at a time must see each other: an installation keeps one. */
const LOCK_NAME = "waymark deletion of projects"

/** Who deletes something, and when. */
export interface DeletedBy {
  readonly userId: UserId
  readonly at: Date
}

/** What became of a request: the projects that are gone, or why nothing is. */
export type DeletionOutcome = readonly ProjectId[] | "not found" | "another name" | "last project"

export type ProjectDeletionRepository = ReturnType<typeof createProjectDeletionRepository>

/**
 * Deletes projects and organizations with all records that refer to them, which triggers see to; what is elsewhere is noted in
 * the same transaction (`migrations/postgres/0049_project_deletions.sql`). The audit log keeps an entry above what is gone.
 */
export function createProjectDeletionRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const record = (
    em: EntityManager,
    what: { readonly scope: string; readonly itemId: string; readonly organizationId: OrganizationId | null },
    name: string,
    { userId, at }: DeletedBy,
  ): void =>
    recordActivity(em, {
      ...what,
      id: ids.uuidV7(),
      projectId: null,
      userId,
      activity: "deleted",
      changes: { name },
      createdAt: at,
    })

  return {
    deleteProject: (id: ProjectId, name: string, by: DeletedBy): Promise<DeletionOutcome> =>
      records.writeExclusively(LOCK_NAME, async (em) => {
        const project = await em.findOne(ProjectEntity, id)
        if (project === null) return "not found"
        if (project.name !== name) return "another name"
        if ((await em.count(ProjectEntity)) === 1) return "last project"
        await em.nativeDelete(ProjectEntity, { id })
        const { organizationId } = project
        record(em, { scope: "Project", itemId: String(id), organizationId }, name, by)
        return [id]
      }),

    deleteOrganization: (id: OrganizationId, name: string, by: DeletedBy): Promise<DeletionOutcome> =>
      records.writeExclusively(LOCK_NAME, async (em) => {
        const organization = await em.findOne(OrganizationEntity, id)
        if (organization === null) return "not found"
        if (organization.name !== name) return "another name"
        if ((await em.count(ProjectEntity, { organizationId: { $ne: id } })) === 0) return "last project"
        const projects = await em.find(ProjectEntity, { organizationId: id })
        await em.nativeDelete(OrganizationEntity, { id })
        record(em, { scope: "Organization", itemId: id, organizationId: null }, name, by)
        return projects.map((project) => project.id)
      }),
  }
}
