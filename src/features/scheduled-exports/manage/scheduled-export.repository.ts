import { LockMode, wrap } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { readRecords } from "../../../platform/postgres/record-list.js"
import type { Records } from "../../../platform/postgres/records.js"
import { BY_ID, NEWEST_FIRST } from "../../../platform/postgres/sql-order.js"
import { listChanges, recordProjectActivity } from "../../access/index.js"
import type { ExportRun, ScheduledExport } from "../scheduled-exports.types.js"
import { ExportRunEntity, ScheduledExportEntity } from "./scheduled-export.entity.js"

const SCOPE = "ScheduledExport"
const MAX_EXPORTS = 20
const NEWEST_RUN_FIRST = [{ ...BY_ID, isDescending: true }]
/** What the audit log says; of a secret only that it changes. */
const AUDITED = {
  name: "name",
  content: "content",
  frequency: "frequency",
  format: "format",
  target: "target",
  is_paused: "isPaused",
}

export type ScheduledExportRepository = ReturnType<typeof createScheduledExportRepository>

/**
 * Exports by schedule in PostgreSQL. A change and its entry in the audit log are written together. Methods throw AppError
 * store_unavailable when PostgreSQL is away.
 */
export function createScheduledExportRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const record = (
    em: EntityManager,
    { id, projectId }: ScheduledExport,
    activity: string,
    changes: Json,
    userId: UserId,
    at: Date,
  ): void =>
    recordProjectActivity(
      em,
      { projectId, scope: SCOPE, itemId: String(id), activity, changes },
      { id: ids.uuidV7(), userId, at },
    )
  const lock = (em: EntityManager, projectId: ProjectId, id: number): Promise<ScheduledExportEntity | null> =>
    em.findOne(ScheduledExportEntity, { projectId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })

  return {
    /** Newest first. */
    list: (projectId: ProjectId, page: PageRequest): Promise<ListPage<ScheduledExport>> =>
      readRecords(
        records,
        {
          order: NEWEST_FIRST,
          find: (em, { beyond, options }) => em.find(ScheduledExportEntity, { $and: [{ projectId }, beyond] }, options),
          count: (em) => em.count(ScheduledExportEntity, { projectId }),
        },
        page,
      ),

    findMany: (projectId: ProjectId, numbers: readonly number[]): Promise<ScheduledExport[]> =>
      records.read((em) => em.find(ScheduledExportEntity, { projectId, id: { $in: [...numbers] } })),

    /** Newest first. */
    listRuns: (projectId: ProjectId, id: number, page: PageRequest): Promise<ListPage<ExportRun>> =>
      readRecords(
        records,
        {
          order: NEWEST_RUN_FIRST,
          find: (em, { beyond, options }) =>
            em.find(ExportRunEntity, { $and: [{ export: { id, projectId } }, beyond] }, options),
          count: (em) => em.count(ExportRunEntity, { export: { id, projectId } }),
        },
        page,
      ),

    /** @throws AppError invalid_input when the project has as many as it may. */
    insert: (made: Omit<ScheduledExport, "id" | "createdById">, userId: UserId): Promise<ScheduledExport> =>
      records.writeExclusively(`scheduled exports of ${made.projectId}`, async (em) => {
        if ((await em.count(ScheduledExportEntity, { projectId: made.projectId })) >= MAX_EXPORTS)
          throw new AppError("invalid_input", { detail: `A project has at most ${MAX_EXPORTS} exports.` })
        const created = em.create(ScheduledExportEntity, { ...made, createdById: userId })
        await em.flush()
        record(em, created, "created", pickAudited(created), userId, made.createdAt)
        return created
      }),

    /** Null when there is no such export. */
    update: (
      projectId: ProjectId,
      id: number,
      changes: Partial<ScheduledExport> & Pick<ScheduledExport, "updatedAt">,
      userId: UserId,
    ): Promise<ScheduledExport | null> =>
      records.write(async (em) => {
        const found = await lock(em, projectId, id)
        if (found === null) return null
        const before = wrap(found).toPOJO()
        em.assign(found, changes)
        // What is written elsewhere has to be written again, or a manifest would name files that are not beside it.
        if (changes.target !== undefined)
          await em.nativeUpdate(ExportRunEntity, { export: id, status: { $ne: "completed" } }, { files: [] })
        const isOtherSecret = found.sealedSecret !== before.sealedSecret
        const said = listChanges(AUDITED, before, wrap(found).toPOJO())
        if (isOtherSecret) said.push({ field: "secret_access_key", action: "changed" })
        record(em, found, "updated", said, userId, changes.updatedAt)
        return found
      }),

    /** Wants the present interval to end at a time. Null when there is no such export. */
    cut: (projectId: ProjectId, id: number, cutAt: Date, userId: UserId, at: Date): Promise<ScheduledExport | null> =>
      records.write(async (em) => {
        const found = await lock(em, projectId, id)
        if (found === null) return null
        em.assign(found, { cutAt, dueAt: cutAt })
        record(em, found, "run requested", {}, userId, at)
        return found
      }),

    /** Removes it and what is known of its runs. Whether there was one. */
    remove: (projectId: ProjectId, id: number, userId: UserId, at: Date): Promise<boolean> =>
      records.write(async (em) => {
        const found = await lock(em, projectId, id)
        if (found === null) return false
        record(em, found, "deleted", pickAudited(found), userId, at)
        await em.nativeDelete(ExportRunEntity, { export: id })
        em.remove(found)
        return true
      }),
  }
}

const pickAudited = ({ name, content, frequency, format, target }: ScheduledExport): JsonObject => ({
  name,
  content,
  frequency,
  format,
  target: { ...target },
})
