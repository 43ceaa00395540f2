import type { FilterQuery } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import { recordActivity } from "../access/index.js"
import { CohortEntity } from "./cohort.entity.js"
import type { Cohort, CohortEdit, CohortFilter, CohortRepository } from "./cohorts.types.js"
import { lockRules, readRulesVersion } from "./rules-version.store.js"

const ADD_MEMBERS = `
  INSERT INTO cohort_member (project_id, cohort_id, person_id)
  SELECT DISTINCT project_id, $2::integer, person_id FROM person_distinct_id
  WHERE project_id = $1 AND distinct_id = ANY ($3::text[]) AND person_id IS NOT NULL
  ON CONFLICT DO NOTHING`

const REMOVE_MEMBERS = `
  DELETE FROM cohort_member USING person_distinct_id owner
  WHERE cohort_member.project_id = $1 AND cohort_member.cohort_id = $2 AND owner.project_id = $1
    AND owner.person_id = cohort_member.person_id AND owner.distinct_id = ANY ($3::text[])`

const COUNT_MEMBERS = `SELECT count(*)::int AS count FROM cohort_member WHERE cohort_id = $1`

/** Cohorts in PostgreSQL. A change raises the version of the project's flag rules, by trigger. */
export function createPostgresCohortRepository(database: Database, ids: Pick<Ids, "uuidV7">): CohortRepository {
  const entities = () => database.orm.em.fork()
  const record = (em: EntityManager, cohort: Cohort, activity: string, changes: Json, by: CohortEdit): void => {
    const what = { scope: "Cohort", itemId: String(cohort.id), activity, changes, organizationId: null }
    recordActivity(em, { ...what, id: ids.uuidV7(), projectId: cohort.projectId, userId: by.userId, createdAt: by.at })
  }
  const changeMembers = (text: string) => (projectId: ProjectId, id: number, distinctIds: readonly string[]) =>
    whenReachable(async () => {
      await database.pool.query(text, [projectId, id, distinctIds])
      const { rows } = await database.pool.query<{ count: number }>(COUNT_MEMBERS, [id])
      return rows[0]?.count ?? 0
    })
  return {
    list: (projectId, filter, { limit, offset }) =>
      whenReachable(async () => {
        const orderBy = { createdAt: "desc", id: "desc" } as const
        const where = conditionsOf(projectId, filter)
        const [items, totalCount] = await entities().findAndCount(CohortEntity, where, { limit, offset, orderBy })
        return { items: items.map(toCohort), totalCount }
      }),
    all: (projectId) =>
      whenReachable(async () => {
        const where = { projectId, deleted: false }
        return (await entities().find(CohortEntity, where, { orderBy: { id: "asc" } })).map(toCohort)
      }),
    find: (projectId, id) =>
      whenReachable(async () => {
        const cohort = await entities().findOne(CohortEntity, { projectId, id })
        return cohort === null ? null : toCohort(cohort)
      }),
    insert: (cohort, rulesVersion) =>
      whenReachable(() =>
        entities().transactional(async (em) => {
          if ((await lockRules(em, cohort.projectId)) !== rulesVersion) return null
          const created = em.create(CohortEntity, cohort)
          await em.flush()
          const { name, createdById, createdAt } = cohort
          if (createdById !== null)
            record(em, toCohort(created), "created", { name }, { userId: createdById, at: createdAt })
          return toCohort(created)
        }),
      ),
    rulesVersion: (projectId) => whenReachable(() => readRulesVersion(database.pool, projectId)),
    update: (projectId, id, changes, by, rulesVersion) =>
      whenReachable(() =>
        entities().transactional(async (em) => {
          if ((await lockRules(em, projectId)) !== rulesVersion) return null
          const cohort = await em.findOneOrFail(CohortEntity, { projectId, id })
          em.assign(cohort, changes)
          await em.flush()
          record(em, toCohort(cohort), changes.deleted === true ? "deleted" : "updated", changes as Json, by)
          return toCohort(cohort)
        }),
      ),
    addMembers: changeMembers(ADD_MEMBERS),
    removeMembers: changeMembers(REMOVE_MEMBERS),
  }
}

function conditionsOf(projectId: ProjectId, filter: CohortFilter): FilterQuery<CohortEntity> {
  const { search, isStatic, createdById } = filter
  const pattern = `%${search?.replace(/[\\%_]/g, "\\$&")}%`
  return {
    projectId,
    deleted: false,
    ...(search !== undefined && { name: { $ilike: pattern } }),
    ...(isStatic !== undefined && { isStatic }),
    ...(createdById !== undefined && { createdById: createdById as UserId }),
  }
}

const toCohort = (entity: CohortEntity): Cohort => ({
  id: entity.id,
  projectId: entity.projectId,
  name: entity.name,
  description: entity.description,
  isStatic: entity.isStatic,
  filters: entity.filters ?? null,
  deleted: entity.deleted,
  createdAt: entity.createdAt,
  createdById: entity.createdById ?? null,
})
