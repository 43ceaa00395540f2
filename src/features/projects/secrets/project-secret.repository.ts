import { type EntityManager, LockMode } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { recordProjectActivity, type StoredSecret } from "../../access/index.js"
import { ProjectEntity, ProjectSecretEntity } from "../project.entity.js"

/** Secret keys of projects at rest. Changes write the audit log in the same transaction. */
export type ProjectSecretRepository = ReturnType<typeof createProjectSecretRepository>

/** Secret keys of projects in PostgreSQL. */
export function createProjectSecretRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const record = (em: EntityManager, key: ProjectSecretEntity, activity: string, userId: UserId, now: Date): void => {
    // The audit log calls it as the column does.
    const changes = { hint: key.maskedValue }
    const change = { projectId: key.projectId, scope: "ProjectSecret", itemId: key.id, activity, changes }
    recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at: now })
  }
  const toLive = (projectId: ProjectId) => ({ projectId, revokedAt: null })

  return {
    /** Live keys, oldest first. */
    list: (projectId: ProjectId) =>
      records.read((em) =>
        em.find(ProjectSecretEntity, toLive(projectId), { orderBy: { createdAt: "asc", id: "asc" } }),
      ),
    /** Null when the project has `maxLive` live keys already. */
    insert: (projectId: ProjectId, secret: StoredSecret, by: UserId, now: Date, maxLive: number) =>
      records.write(async (em) => {
        // Locked: two calls at once must not both see room for one more key.
        await em.findOneOrFail(ProjectEntity, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE })
        if ((await em.count(ProjectSecretEntity, toLive(projectId))) >= maxLive) return null
        const created = em.create(ProjectSecretEntity, { ...secret, projectId, createdAt: now, revokedAt: null })
        record(em, created, "created", by, now)
        return created
      }),
    /** Whether there was such a live key. */
    revoke: (projectId: ProjectId, id: string, by: UserId, now: Date) =>
      records.write(async (em) => {
        const key = await em.findOne(ProjectSecretEntity, { ...toLive(projectId), id })
        if (key === null) return false
        key.revokedAt = now
        record(em, key, "revoked", by, now)
        return true
      }),
  }
}
