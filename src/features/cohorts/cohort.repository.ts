import type { FilterQuery } from "@mikro-orm/core"
import { asUserId, type ProjectId, type UserId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import { readRecords } from "../../platform/postgres/record-list.js"
import type { Records } from "../../platform/postgres/records.js"
import { NEWEST_FIRST } from "../../platform/postgres/sql-order.js"
import { recordProjectActivity } from "../access/index.js"
import { CohortEntity } from "./cohort.entity.js"
import type { Cohort, CohortChanges, CohortFilter, NewCohort } from "./cohorts.types.js"
import { lockRules, readRulesVersion } from "./rules-version.repository.js"

const SCOPE = "Cohort"

export type CohortRepository = ReturnType<typeof createCohortRepository>

/**
 * Cohorts in PostgreSQL. A change and its entry in the audit log are written together, and a trigger raises the version of
 * the project's flag rules. Methods throw AppError store_unavailable when PostgreSQL is away.
 */
export function createCohortRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    /** Cohorts that are not deleted, newest first. */
    list: (projectId: ProjectId, filter: CohortFilter, page: PageRequest): Promise<ListPage<Cohort>> => {
      const where = toConditions(projectId, filter)
      return readRecords(
        records,
        {
          order: NEWEST_FIRST,
          find: (em, { beyond, options }) => em.find(CohortEntity, { $and: [where, beyond] }, options),
          count: (em) => em.count(CohortEntity, where),
        },
        page,
      )
    },

    /** Every cohort that is not deleted. */
    listAll: (projectId: ProjectId): Promise<Cohort[]> =>
      records.read((em) => em.find(CohortEntity, { projectId, deleted: false }, { orderBy: { id: "asc" } })),

    /** Deleted cohorts are found too. */
    find: (projectId: ProjectId, id: number): Promise<Cohort | null> =>
      records.read((em) => em.findOne(CohortEntity, { projectId, id })),

    /** Those of these numbers that are not deleted. */
    findMany: (projectId: ProjectId, ids: readonly number[]): Promise<Cohort[]> =>
      records.read((em) => em.find(CohortEntity, { projectId, id: { $in: [...ids] }, deleted: false })),

    /** Grows with every change of the project's flags, cohorts and group types. */
    readRulesVersion: (projectId: ProjectId) => records.read((em) => readRulesVersion(em, projectId)),

    /** Null when the rules no longer have the version at which the cohort was checked against other cohorts. */
    insert: (cohort: NewCohort, userId: UserId, rulesVersion: number) =>
      records.write(async (em): Promise<Cohort | null> => {
        const { projectId, name, createdAt: at } = cohort
        if ((await lockRules(em, projectId)) !== rulesVersion) return null
        const created = em.create(CohortEntity, { ...cohort, createdById: userId })
        await em.flush()
        const change = { projectId, scope: SCOPE, itemId: String(created.id), activity: "created", changes: { name } }
        recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at })
        return created
      }),

    /** Null when the rules no longer have the version at which the change was checked against other cohorts and flags. */
    update: (
      projectId: ProjectId,
      id: number,
      changes: CohortChanges,
      userId: UserId,
      at: Date,
      rulesVersion: number,
    ) =>
      records.write(async (em): Promise<Cohort | null> => {
        if ((await lockRules(em, projectId)) !== rulesVersion) return null
        const cohort = await em.findOneOrFail(CohortEntity, { projectId, id })
        em.assign(cohort, changes)
        const activity = changes.deleted === true ? "deleted" : "updated"
        const change = { projectId, scope: SCOPE, itemId: String(id), activity, changes: { ...changes } }
        recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at })
        return cohort
      }),
  }
}

function toConditions(
  projectId: ProjectId,
  { search, isStatic, createdById }: CohortFilter,
): FilterQuery<CohortEntity> {
  return {
    projectId,
    deleted: false,
    ...(search != null && { name: { $ilike: `%${search.replace(/[\\%_]/g, "\\$&")}%` } }),
    ...(isStatic != null && { isStatic }),
    ...(createdById != null && { createdById: asUserId(createdById) }),
  }
}
