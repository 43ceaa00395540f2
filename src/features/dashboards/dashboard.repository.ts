import { type FilterQuery, LockMode, raw, wrap } from "@mikro-orm/core"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import { readRecords } from "../../platform/postgres/record-list.js"
import type { Records } from "../../platform/postgres/records.js"
import { completeChange, NEWEST_CHANGE_FIRST, type SavedBy, toSavedConditions } from "../insights/index.js"
import { DashboardEntity } from "./dashboard.entity.js"
import type { Dashboard, DashboardFilter } from "./dashboards.types.js"

const AUDITED = { kind: "Dashboard", fields: { pinned: "pinned", filters: "filters", tiles: "tiles" } } as const

export type DashboardRepository = ReturnType<typeof createDashboardRepository>

/**
 * Dashboards in PostgreSQL. A change, its entry in the audit log and whether it is a favourite are written together. Methods
 * throw AppError store_unavailable when PostgreSQL is away.
 */
export function createDashboardRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    /** Dashboards that are not deleted, newest change first. */
    async list(projectId: ProjectId, filter: DashboardFilter, page: PageRequest): Promise<ListPage<Dashboard>> {
      const { pinned, insight } = filter
      const where: FilterQuery<DashboardEntity> = {
        ...(await toSavedConditions(records, "Dashboard", projectId, filter)),
        ...(pinned !== undefined && { pinned }),
      }
      const shows = insight === undefined ? {} : showing(insight)
      return readRecords(
        records,
        {
          order: NEWEST_CHANGE_FIRST,
          find: (em, { beyond, options }) => em.find(DashboardEntity, { $and: [where, shows, beyond] }, options),
          count: (em) => em.count(DashboardEntity, { $and: [where, shows] }),
        },
        page,
      )
    },

    /** Those of these short ids, deleted ones too: that is how they are restored. */
    findMany: (projectId: ProjectId, shortIds: readonly string[]): Promise<Dashboard[]> =>
      records.read((em) => em.find(DashboardEntity, { projectId, shortId: { $in: [...shortIds] } })),

    insert: (dashboard: Omit<Dashboard, "id">, by: SavedBy) =>
      records.write(async (em): Promise<Dashboard> => {
        const after = em.create(DashboardEntity, dashboard)
        await em.flush()
        await completeChange(em, ids, AUDITED, { before: null, after }, by)
        return after
      }),

    /**
     * @param from version that the tiles were changed from; null where they stay
     * @throws AppError conflict when it is not the present one.
     */
    update: (projectId: ProjectId, id: number, changes: Partial<Dashboard>, from: number | null, by: SavedBy) =>
      records.write(async (em): Promise<Dashboard> => {
        const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
        const after = await em.findOneOrFail(DashboardEntity, { projectId, id }, locked)
        if (from !== null && from !== after.version) throw staleVersion(after.version)
        const before = wrap(after).toPOJO()
        em.assign(after, { ...changes, ...(from !== null && { version: from + 1 }) })
        await completeChange(em, ids, AUDITED, { before, after }, by)
        return after
      }),
  }
}

/** A tile has the insight. The ORM has no word for what a list in JSON contains. */
const showing = (insight: string): Readonly<Record<symbol, never[]>> => ({
  [raw((table) => `${table}.tiles @> ?::jsonb`, [JSON.stringify([{ insight }])])]: [],
})

const staleVersion = (version: number): AppError =>
  new AppError("conflict", {
    attr: "version",
    detail: `The tiles were changed since you read them; they have version ${version} now.`,
  })
