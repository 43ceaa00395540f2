import { type EntityManager, LockMode } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import { readRecords } from "../../platform/postgres/record-list.js"
import type { Records } from "../../platform/postgres/records.js"
import { BY_ID, toOrderColumn } from "../../platform/postgres/sql-order.js"
import { recordActivity } from "../access/index.js"
import { ProjectEntity, ProjectKeyEntity } from "./project.entity.js"
import type { NewProject, ProjectChanges, ProjectFilter, ProjectKey } from "./projects.types.js"

const OLDEST_FIRST = { createdAt: "asc", id: "asc" } as const
const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

/** Projects and their keys at rest. Changes write the audit log in the same transaction. */
export type ProjectRepository = ReturnType<typeof createProjectRepository>

/** Projects in PostgreSQL. */
export function createProjectRepository(records: Records, ids: Pick<Ids, "uuidV7">, seed?: SeedProject) {
  const record = (
    em: EntityManager,
    { id: projectId, organizationId }: ProjectEntity,
    activity: string,
    changes: Json,
    { by: userId, now: createdAt }: { readonly by: UserId; readonly now: Date },
  ): void => {
    const what = { scope: "Project", itemId: String(projectId), activity, changes }
    recordActivity(em, { ...what, id: ids.uuidV7(), projectId, organizationId, userId, createdAt })
  }

  return {
    list: ({ organizationIds, projectIds }: ProjectFilter, page: PageRequest): Promise<ListPage<ProjectEntity>> => {
      const where = {
        organizationId: { $in: [...organizationIds] },
        ...(projectIds !== null && { id: { $in: [...projectIds] } }),
      }
      return readRecords(
        records,
        {
          order: [toOrderColumn("createdAt", "time"), BY_ID],
          find: async (em, { beyond, options }) => {
            const projects = await em.find(ProjectEntity, { $and: [where, beyond] }, options)
            await em.populate(projects, ["keys"])
            return projects
          },
          count: (em) => em.count(ProjectEntity, where),
        },
        page,
      )
    },
    /** Live keys, oldest first, of several projects at once. */
    findKeys: (projectIds: readonly ProjectId[]) =>
      records.read(async (em) => {
        const where = { project: { $in: [...projectIds] }, revokedAt: null }
        const keys = await em.find(ProjectKeyEntity, where, { orderBy: OLDEST_FIRST })
        return Map.groupBy(keys, ({ project }) => project.id)
      }),
    insert: ({ key, createdBy, ...project }: NewProject) =>
      records.write(async (em) => {
        const created = await addProject(em, project, key, seed)
        record(em, created, "created", { name: created.name }, { by: createdBy, now: key.createdAt })
        return created
      }),
    update: (id: ProjectId, changes: ProjectChanges, by: UserId, now: Date) =>
      records.write(async (em) => {
        const project = await em.findOne(ProjectEntity, id, LOCKED)
        if (project === null) return null
        const { settings, ...columns } = changes
        em.assign(project, columns)
        if (settings !== undefined) project.settings = mergeSettings(project.settings, settings)
        record(em, project, "updated", { ...changes }, { by, now })
        await project.keys.load()
        return project
      }),
    addKey: (id: ProjectId, key: ProjectKey, by: UserId) =>
      records.write(async (em) => {
        const project = await em.findOneOrFail(ProjectEntity, id)
        em.create(ProjectKeyEntity, { ...key, project, revokedAt: null })
        record(em, project, "key created", { keyId: key.id }, { by, now: key.createdAt })
      }),
    /** "last key" when the project would be left without one. */
    revokeKey: (id: ProjectId, keyId: string, by: UserId, now: Date) =>
      records.write(async (em): Promise<"revoked" | "not found" | "last key"> => {
        const project = await em.findOneOrFail(ProjectEntity, id, LOCKED)
        await project.keys.load()
        const key = project.liveKeys.find((one) => one.id === keyId)
        if (key === undefined) return "not found"
        if (project.liveKeys.length === 1) return "last key"
        key.revokedAt = now
        record(em, project, "key revoked", { keyId }, { by, now })
        return "revoked"
      }),
  }
}

/** Gives a new project what other features have for it, in the unit of work in which it is stored. */
export type SeedProject = (em: EntityManager, projectId: ProjectId, at: Date) => void

/** Stores a project with its first key at once, so that its number is known. `id` fixes the number. */
export async function addProject(
  em: EntityManager,
  project: Omit<NewProject, "key" | "createdBy"> & { readonly id?: ProjectId },
  key: ProjectKey,
  seed: SeedProject = () => undefined,
): Promise<ProjectEntity> {
  const created = em.create(ProjectEntity, { ...project, createdAt: key.createdAt })
  em.create(ProjectKeyEntity, { ...key, project: created, revokedAt: null })
  await em.flush()
  seed(em, created.id, key.createdAt)
  return created
}

function mergeSettings(present: JsonObject, changes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null))
}
