import { type FilterQuery, LockMode, wrap } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import { readRecords } from "../../platform/postgres/record-list.js"
import type { Records } from "../../platform/postgres/records.js"
import { InsightEntity } from "./insight.entity.js"
import type { Insight, InsightFilter } from "./insights.types.js"
import { completeChange, NEWEST_CHANGE_FIRST, toSavedConditions } from "./saved/saved.repository.js"
import type { SavedBy } from "./saved/saved.types.js"

const AUDITED = { kind: "Insight", fields: { query: "query" } } as const

export type InsightRepository = ReturnType<typeof createInsightRepository>

/**
 * Insights in PostgreSQL. A change, its entry in the audit log and whether it is a favourite are written together. Methods
 * throw AppError store_unavailable when PostgreSQL is away.
 */
export function createInsightRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    /** Insights that are not deleted, newest change first. */
    async list(projectId: ProjectId, filter: InsightFilter, page: PageRequest): Promise<ListPage<Insight>> {
      const where: FilterQuery<InsightEntity> = {
        ...(await toSavedConditions(records, "Insight", projectId, filter)),
        ...(filter.kind !== undefined && { query: { kind: filter.kind } }),
      }
      return readRecords(
        records,
        {
          order: NEWEST_CHANGE_FIRST,
          find: (em, { beyond, options }) => em.find(InsightEntity, { $and: [where, beyond] }, options),
          count: (em) => em.count(InsightEntity, where),
        },
        page,
      )
    },

    /** Those of these short ids, deleted ones too: that is how they are restored. */
    findMany: (projectId: ProjectId, shortIds: readonly string[]): Promise<Insight[]> =>
      records.read((em) => em.find(InsightEntity, { projectId, shortId: { $in: [...shortIds] } })),

    insert: (insight: Omit<Insight, "id">, by: SavedBy) =>
      records.write(async (em): Promise<Insight> => {
        const after = addInsight(em, insight)
        await em.flush()
        await completeChange(em, ids, AUDITED, { before: null, after }, by)
        return after
      }),

    update: (projectId: ProjectId, id: number, changes: Partial<Insight>, by: SavedBy) =>
      records.write(async (em): Promise<Insight> => {
        const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
        const after = await em.findOneOrFail(InsightEntity, { projectId, id }, locked)
        const before = wrap(after).toPOJO()
        em.assign(after, changes)
        await completeChange(em, ids, AUDITED, { before, after }, by)
        return after
      }),
  }
}

/** Stores an insight in the unit of work of `em`, without an entry in the audit log. */
export const addInsight = (em: EntityManager, insight: Omit<Insight, "id">): InsightEntity =>
  em.create(InsightEntity, insight)
