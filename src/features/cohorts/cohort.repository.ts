import type { ProjectId } from "../../kernel/ids.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import { CohortEntity } from "./cohort.entity.js"
import type { Cohort, CohortRepository } from "./cohorts.types.js"

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
export function createPostgresCohortRepository(database: Database): CohortRepository {
  const entities = () => database.orm.em.fork()
  const changeMembers = (text: string) => (projectId: ProjectId, id: number, distinctIds: readonly string[]) =>
    whenReachable(async () => {
      await database.pool.query(text, [projectId, id, distinctIds])
      const { rows } = await database.pool.query<{ count: number }>(COUNT_MEMBERS, [id])
      return rows[0]?.count ?? 0
    })
  return {
    list: (projectId, { limit, offset }) =>
      whenReachable(async () => {
        const orderBy = { createdAt: "desc", id: "desc" } as const
        const where = { projectId, deleted: false }
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
    insert: (cohort) =>
      whenReachable(async () => {
        const em = entities()
        const created = em.create(CohortEntity, cohort)
        await em.flush()
        return toCohort(created)
      }),
    update: (projectId, id, changes) =>
      whenReachable(async () => {
        const em = entities()
        const cohort = await em.findOneOrFail(CohortEntity, { projectId, id })
        em.assign(cohort, changes)
        await em.flush()
        return toCohort(cohort)
      }),
    addMembers: changeMembers(ADD_MEMBERS),
    removeMembers: changeMembers(REMOVE_MEMBERS),
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
