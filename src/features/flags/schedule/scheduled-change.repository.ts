import { LockMode } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { readRecords } from "../../../platform/postgres/record-list.js"
import type { Records } from "../../../platform/postgres/records.js"
import { toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { recordProjectActivity } from "../../access/index.js"
import type { DueChange } from "./due-changes.store.js"
import { type ScheduledChange, ScheduledChangeEntity } from "./scheduled-change.entity.js"

/** What became of a change that was due. */
export interface Outcome {
  readonly dueAt: Date | null
  /** Null when it was made. */
  readonly failure: string | null
  readonly at: Date
}

export type ScheduledChangeRepository = ReturnType<typeof createScheduledChangeRepository>

const NEWEST_FIRST = [
  toOrderColumn("createdAt", "time", { isDescending: true }),
  toOrderColumn("id", "integer", { isDescending: true }),
]
/** Planned changes of flags in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createScheduledChangeRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const record = (em: EntityManager, planned: ScheduledChange, activity: string, userId: UserId, at: Date): void => {
    const { projectId, flagId, changes } = planned
    const change = { projectId, scope: "FeatureFlag", itemId: String(flagId), activity, changes }
    recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at })
  }
  return {
    /** Those of a flag, latest plan first, also those that are over. */
    list: (projectId: ProjectId, flagId: number, page: PageRequest): Promise<ListPage<ScheduledChange>> =>
      readRecords(
        records,
        {
          order: NEWEST_FIRST,
          find: (em, { beyond, options }) =>
            em.find(ScheduledChangeEntity, { $and: [{ projectId, flagId }, beyond] }, options),
          count: (em) => em.count(ScheduledChangeEntity, { projectId, flagId }),
        },
        page,
      ),

    /** Those of a flag that are yet to be made, the next one first. */
    listDue: (projectId: ProjectId, flagId: number): Promise<ScheduledChange[]> =>
      records.read((em) =>
        em.find(ScheduledChangeEntity, { projectId, flagId, dueAt: { $ne: null } }, { orderBy: { dueAt: "asc" } }),
      ),

    insert: (planned: Omit<ScheduledChange, "id">): Promise<ScheduledChange> =>
      records.write(async (em) => {
        const created = em.create(ScheduledChangeEntity, planned)
        record(em, created, "change planned", planned.createdById, planned.createdAt)
        return created
      }),

    /** Whether there was such a plan. */
    remove: (projectId: ProjectId, id: number, userId: UserId, at: Date): Promise<boolean> =>
      records.write(async (em) => {
        const planned = await em.findOne(ScheduledChangeEntity, { projectId, id })
        if (planned === null) return false
        record(em, planned, "plan removed", userId, at)
        em.remove(planned)
        return true
      }),

    /**
     * Notes what became of a due change, in the transaction of `em`. False when another process has done so, or the plan was
     * removed: it waits for whoever is about to.
     */
    finish: async (em: EntityManager, { id, dueAt }: DueChange, outcome: Outcome): Promise<boolean> => {
      const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
      const planned = await em.findOne(ScheduledChangeEntity, { id, dueAt }, locked)
      if (planned === null) return false
      planned.dueAt = outcome.dueAt
      planned.failure = outcome.failure
      if (outcome.failure === null) planned.lastMadeAt = outcome.at
      return true
    },

    write: records.write,
  }
}
