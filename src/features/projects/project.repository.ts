import { type EntityManager, LockMode } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import { recordActivity } from "../access/index.js"
import { ProjectEntity, ProjectKeyEntity } from "./project.entity.js"
import { createProjectReads } from "./project-reads.repository.js"
import type { NewProject, Project, ProjectKey, ProjectRepository } from "./projects.types.js"

/** Projects in PostgreSQL. */
export function createProjectRepository(database: Database, ids: Ids): ProjectRepository {
  const change = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> =>
    whenReachable(() => database.orm.em.fork().transactional(work))
  const record = (
    em: EntityManager,
    project: ProjectEntity,
    by: UserId,
    now: Date,
    activity: string,
    changes: Json,
  ) => {
    const { id: projectId, organizationId } = project
    const what = { scope: "Project", itemId: String(projectId), activity, changes }
    recordActivity(em, { ...what, id: ids.uuidV7(), projectId, organizationId, userId: by, createdAt: now })
  }

  return {
    ...createProjectReads(database),
    insert: ({ key, createdBy, ...project }) =>
      change(async (em) => {
        const created = await addProject(em, project, key)
        record(em, created, createdBy, key.createdAt, "created", { name: created.name })
        return toProject(created, key.token)
      }),
    update: (id, { settings, ...changes }, by, now) =>
      change(async (em) => {
        const project = await em.findOne(ProjectEntity, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
        if (project === null) return null
        em.assign(project, changes)
        if (settings !== undefined) project.settings = mergeSettings(project.settings, settings)
        record(em, project, by, now, "updated", { ...changes, ...(settings === undefined ? {} : { settings }) })
        const [oldest] = await liveKeys(em, id)
        return toProject(project, oldest?.token ?? null)
      }),
    addKey: (id, key, by) =>
      change(async (em) => {
        const project = await em.findOneOrFail(ProjectEntity, id)
        em.persist(em.create(ProjectKeyEntity, { ...key, project }))
        record(em, project, by, key.createdAt, "key created", { keyId: key.id })
      }),
    revokeKey: (id, keyId, by, now) =>
      change(async (em) => {
        const project = await em.findOneOrFail(ProjectEntity, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
        const live = await liveKeys(em, id)
        const key = live.find((one) => one.id === keyId)
        if (key === undefined) return "not found"
        if (live.length === 1) return "last key"
        key.revokedAt = now
        record(em, project, by, now, "key revoked", { keyId })
        return "revoked"
      }),
  }
}

/** Stores a project with its first key at once, so that its number is known. `id` fixes the number. */
export async function addProject(
  em: EntityManager,
  project: Omit<NewProject, "key" | "createdBy"> & { readonly id?: ProjectId },
  key: ProjectKey,
): Promise<ProjectEntity> {
  const created = em.create(ProjectEntity, { ...project, createdAt: key.createdAt })
  em.persist(created)
  em.persist(em.create(ProjectKeyEntity, { ...key, project: created }))
  await em.flush()
  return created
}

const liveKeys = (em: EntityManager, project: ProjectId): Promise<ProjectKeyEntity[]> =>
  em.find(ProjectKeyEntity, { project, revokedAt: null }, { orderBy: { createdAt: "asc", id: "asc" } })

function mergeSettings(present: JsonObject, changes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null))
}

function toProject(entity: ProjectEntity, apiToken: string | null): Project {
  const { id, uuid, organizationId, name, timezone, weekStartDay, settings, createdAt } = entity
  return { id, uuid, organizationId, name, timezone, weekStartDay, settings, apiToken, createdAt }
}
