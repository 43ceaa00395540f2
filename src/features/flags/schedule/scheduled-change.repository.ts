import { LockMode } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { readRecords } from "../../../platform/postgres/record-list.js"
import { toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { recordProjectActivity } from "../../access/index.js"
import { type ScheduledChange, ScheduledChangeEntity } from "./scheduled-change.entity.js"

/** A change whose time has come, and the zone of its project. */
export type DueChange = Pick<
  ScheduledChange,
  "id" | "projectId" | "flagId" | "request" | "startsAt" | "recurrence" | "createdById"
> & { readonly dueAt: Date; readonly timezone: string }

/** What became of a change that was due. */
export interface Outcome {
  readonly dueAt: Date | null
  /** Null when it was made. */
  readonly failure: string | null
  readonly at: Date
}

export type ScheduledChangeRepository = ReturnType<typeof createScheduledChangeRepository>

/** Changes that are made in one go; the next look takes the rest. */
const MAX_DUE = 100
const NEWEST_FIRST = [
  toOrderColumn("createdAt", "time", { isDescending: true }),
  toOrderColumn("id", "integer", { isDescending: true }),
]
const DUE = `
  SELECT planned.id, planned.project_id AS "projectId", planned.flag_id AS "flagId", planned.request,
    planned.starts_at AS "startsAt", planned.recurrence, planned.due_at AS "dueAt",
    planned.created_by_id AS "createdById", project.timezone
  FROM flag_scheduled_change planned JOIN project ON project.id = planned.project_id
  WHERE planned.due_at <= $1 ORDER BY planned.due_at, planned.id LIMIT ${MAX_DUE}`

/** Planned changes of flags in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createScheduledChangeRepository({ records, pool }: Database, ids: Pick<Ids, "uuidV7">) {
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

    /** Changes whose time has come, the longest due first. */
    listDue: (now: Date): Promise<DueChange[]> =>
      whenReachable(async () => (await pool.query<DueChange>(DUE, [now])).rows),

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
