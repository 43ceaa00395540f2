import { type FilterQuery, UniqueConstraintViolationException } from "@mikro-orm/core"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import { toStoreFault } from "../../platform/postgres/connection-loss.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { FlagEntity } from "./flag.entity.js"
import type { Flag, FlagFilter, FlagRepository } from "./flags.types.js"

/** Flags in PostgreSQL, through the ORM. The rule version is raised by triggers, in the same transaction. */
export function createPostgresFlagRepository(database: Database): FlagRepository {
  const entities = () => database.orm.em.fork()
  return {
    list: (projectId, filter, { limit, offset }) =>
      reaching(async () => {
        const orderBy = { createdAt: "desc", id: "desc" } as const
        const found = await entities().findAndCount(FlagEntity, conditionsOf(projectId, filter), {
          limit,
          offset,
          orderBy,
        })
        return { items: found[0].map(toFlag), totalCount: found[1] }
      }),

    all: (projectId) =>
      reaching(async () => {
        const flags = await entities().find(FlagEntity, { projectId, deleted: false }, { orderBy: { id: "asc" } })
        return flags.map(toFlag)
      }),

    find: (projectId, id) =>
      reaching(async () => {
        const flag = await entities().findOne(FlagEntity, { projectId, id })
        return flag === null ? null : toFlag(flag)
      }),

    insert: (flag) =>
      reaching(async () => {
        const em = entities()
        const created = em.create(FlagEntity, { ...flag, version: 1 })
        await em.flush()
        return toFlag(created)
      }),

    update: (projectId, id, expectedVersion, changes) =>
      reaching(async () => {
        const em = entities()
        const version = expectedVersion + 1
        const changed = await em.nativeUpdate(
          FlagEntity,
          { projectId, id, version: expectedVersion },
          { ...changes, version },
        )
        return changed === 0 ? null : toFlag(await em.findOneOrFail(FlagEntity, { projectId, id }))
      }),
  }
}

async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw new AppError("unique", { attr: "key", detail: "There is already a feature flag with this key." })
    throw toStoreFault(error)
  }
}

function conditionsOf(projectId: ProjectId, { search, active }: FlagFilter): FilterQuery<FlagEntity> {
  const conditions: FilterQuery<FlagEntity>[] = [{ projectId, deleted: false }]
  if (active !== undefined) conditions.push({ active })
  if (search !== undefined && search !== "") {
    const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`
    conditions.push({ $or: [{ key: { $ilike: pattern } }, { name: { $ilike: pattern } }] })
  }
  return { $and: conditions }
}

const toFlag = (entity: FlagEntity): Flag => ({
  id: entity.id,
  projectId: entity.projectId,
  key: entity.key,
  name: entity.name,
  filters: entity.filters,
  active: entity.active,
  deleted: entity.deleted,
  version: entity.version,
  ensureExperienceContinuity: entity.ensureExperienceContinuity,
  bucketingIdentifier: entity.bucketingIdentifier,
  evaluationRuntime: entity.evaluationRuntime,
  evaluationContexts: entity.evaluationContexts,
  tags: entity.tags,
  isRemoteConfiguration: entity.isRemoteConfiguration,
  hasEncryptedPayloads: entity.hasEncryptedPayloads,
  createdAt: entity.createdAt,
  createdById: entity.createdById ?? null,
  updatedAt: entity.updatedAt,
  lastModifiedById: entity.lastModifiedById ?? null,
})
