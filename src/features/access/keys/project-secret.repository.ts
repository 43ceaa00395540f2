import type { EntityManager } from "@mikro-orm/postgresql"
import type { UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { ProjectSecretEntity } from "../access.entity.js"
import { recordActivity } from "../activity/activity.log.js"
import type { ProjectSecret, ProjectSecretRepository } from "./project-secret.types.js"

/** Two calls at once must not both see room for one more key. */
const LOCK_PROJECT = "SELECT 1 FROM project WHERE id = ? FOR UPDATE"

/** Secret keys of projects in PostgreSQL. */
export function createProjectSecretRepository(
  { orm }: Pick<Database, "orm">,
  ids: Pick<Ids, "uuidV7">,
): ProjectSecretRepository {
  const inTransaction = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> =>
    whenReachable(() => orm.em.fork().transactional(work))
  const record = (em: EntityManager, key: ProjectSecretEntity, activity: string, userId: UserId, now: Date): void => {
    const { id: itemId, projectId, hint } = key
    const place = { id: ids.uuidV7(), projectId, organizationId: null, userId }
    recordActivity(em, { ...place, scope: "ProjectSecret", itemId, activity, changes: { hint }, createdAt: now })
  }

  return {
    list: (projectId) =>
      whenReachable(async () => {
        const orderBy = { createdAt: "asc", id: "asc" } as const
        const found = await orm.em.fork().find(ProjectSecretEntity, { projectId, revokedAt: null }, { orderBy })
        return found.map(toProjectSecret)
      }),
    insert: (projectId, secret, by, now, maxLive) =>
      inTransaction(async (em) => {
        await em.execute(LOCK_PROJECT, [projectId])
        if ((await em.count(ProjectSecretEntity, { projectId, revokedAt: null })) >= maxLive) return null
        const created = em.create(ProjectSecretEntity, { ...secret, projectId, createdAt: now })
        em.persist(created)
        record(em, created, "created", by, now)
        return toProjectSecret(created)
      }),
    revoke: (projectId, id, by, now) =>
      inTransaction(async (em) => {
        const key = await em.findOne(ProjectSecretEntity, { id, projectId, revokedAt: null })
        if (key === null) return false
        key.revokedAt = now
        record(em, key, "revoked", by, now)
        return true
      }),
  }
}

const toProjectSecret = ({ id, hint, createdAt }: ProjectSecretEntity): ProjectSecret => ({
  id,
  maskedValue: hint,
  createdAt,
})
