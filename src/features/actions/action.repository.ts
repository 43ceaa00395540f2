import { UniqueConstraintViolationException } from "@mikro-orm/core"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import { readRecords } from "../../platform/postgres/record-list.js"
import type { Records } from "../../platform/postgres/records.js"
import { NEWEST_FIRST } from "../../platform/postgres/sql-order.js"
import { recordProjectActivity } from "../access/index.js"
import { ActionEntity } from "./action.entity.js"
import type { Action, ActionChanges, ActionFilter } from "./actions.types.js"

const SCOPE = "Action"

export type ActionRepository = ReturnType<typeof createActionRepository>

/**
 * Actions in PostgreSQL. A change and its entry in the audit log are written together, and a trigger raises the version
 * that queries look at. Methods throw AppError unique for a second action of one name, store_unavailable when PostgreSQL is
 * away.
 */
export function createActionRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    /** Actions that are not deleted, newest first. */
    list: (projectId: ProjectId, { search }: ActionFilter, page: PageRequest): Promise<ListPage<Action>> => {
      const named = search == null ? {} : { name: { $ilike: `%${search.replace(/[\\%_]/g, "\\$&")}%` } }
      const where = { projectId, deleted: false, ...named }
      return readRecords(
        records,
        {
          order: NEWEST_FIRST,
          find: (em, { beyond, options }) => em.find(ActionEntity, { $and: [where, beyond] }, options),
          count: (em) => em.count(ActionEntity, where),
        },
        page,
      )
    },

    /** Deleted actions are found too. */
    find: (projectId: ProjectId, id: number): Promise<Action | null> =>
      records.read((em) => em.findOne(ActionEntity, { projectId, id })),

    /** Those of these numbers that are not deleted. */
    findMany: (projectId: ProjectId, ids: readonly number[]): Promise<Action[]> =>
      records.read((em) => em.find(ActionEntity, { projectId, id: { $in: [...ids] }, deleted: false })),

    insert: (action: Omit<Action, "id" | "createdById">, userId: UserId) =>
      withUniqueNames(
        records.write(async (em): Promise<Action> => {
          const { projectId, name, createdAt: at } = action
          const created = em.create(ActionEntity, { ...action, createdById: userId })
          await em.flush()
          const change = { projectId, scope: SCOPE, itemId: String(created.id), activity: "created", changes: { name } }
          recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at })
          return created
        }),
      ),

    update: (projectId: ProjectId, id: number, changes: ActionChanges, userId: UserId, at: Date) =>
      withUniqueNames(
        records.write(async (em): Promise<Action> => {
          const action = await em.findOneOrFail(ActionEntity, { projectId, id })
          em.assign(action, { ...changes, updatedAt: at })
          const activity = changes.deleted === true ? "deleted" : "updated"
          const change = { projectId, scope: SCOPE, itemId: String(id), activity, changes: { ...changes } }
          recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at })
          return action
        }),
      ),
  }
}

/** @throws AppError unique where PostgreSQL refuses a second action of one name. */
async function withUniqueNames<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    throw new AppError("unique", { attr: "name", detail: "This project already has an action with this name." })
  }
}
