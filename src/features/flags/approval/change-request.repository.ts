import { type FilterQuery, LockMode } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { readRecords } from "../../../platform/postgres/record-list.js"
import type { Records } from "../../../platform/postgres/records.js"
import { toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { recordProjectActivity } from "../../access/index.js"
import { FlagEntity } from "../manage/flag.entity.js"
import { type ChangeRequest, ChangeRequestEntity, type RequestState } from "./change-request.entity.js"

/** Which requests; absent fields do not count. */
export interface RequestFilter {
  readonly flagId?: number
  readonly state?: RequestState
}

/** Who decides about a request, and what they say. */
export interface Decision {
  readonly state: Exclude<RequestState, "waiting">
  readonly by: UserId
  readonly comment: string
  readonly at: Date
}

export type ChangeRequestRepository = ReturnType<typeof createChangeRequestRepository>

const NEWEST_FIRST = [
  toOrderColumn("createdAt", "time", { isDescending: true }),
  toOrderColumn("id", "integer", { isDescending: true }),
]

/** Changes of flags that were asked for, in PostgreSQL. Methods throw AppError store_unavailable when it is away. */
export function createChangeRequestRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const record = (
    em: EntityManager,
    { projectId, flagId }: ChangeRequest,
    entry: { readonly activity: string; readonly changes: Json; readonly userId: UserId; readonly at: Date },
  ): void => {
    const { activity, changes, ...author } = entry
    const change = { projectId, scope: "FeatureFlag", itemId: String(flagId), activity, changes }
    recordProjectActivity(em, change, { id: ids.uuidV7(), ...author })
  }
  return {
    /** Latest first. */
    list: (projectId: ProjectId, filter: RequestFilter, page: PageRequest): Promise<ListPage<ChangeRequest>> => {
      const where: FilterQuery<ChangeRequestEntity> = { projectId, ...filter }
      return readRecords(
        records,
        {
          order: NEWEST_FIRST,
          find: (em, { beyond, options }) => em.find(ChangeRequestEntity, { $and: [where, beyond] }, options),
          count: (em) => em.count(ChangeRequestEntity, where),
        },
        page,
      )
    },

    find: (projectId: ProjectId, id: number): Promise<ChangeRequest | null> =>
      records.read((em) => em.findOne(ChangeRequestEntity, { projectId, id })),

    /** Keys of flags by their numbers, of deleted flags too; flags of other projects are absent. */
    findFlagKeys: (projectId: ProjectId, flagIds: readonly number[]): Promise<Map<number, string>> =>
      records.read(async (em) => {
        const flags = await em.find(FlagEntity, { projectId, id: { $in: [...flagIds] } }, { fields: ["id", "key"] })
        return new Map(flags.map(({ id, key }) => [id, key]))
      }),

    insert: (request: Omit<ChangeRequest, "id">): Promise<ChangeRequest> =>
      records.write(async (em) => {
        const created = em.create(ChangeRequestEntity, request)
        const { changes, createdById: userId, createdAt: at } = request
        record(em, created, { activity: "change requested", changes, userId, at })
        await em.flush()
        return created
      }),

    /** Notes a decision in the transaction of `em`. @throws AppError conflict when another one was made before. */
    decide: async (em: EntityManager, { id }: ChangeRequest, { state, by, comment, at }: Decision): Promise<void> => {
      const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
      const request = await em.findOne(ChangeRequestEntity, { id, state: "waiting" }, locked)
      if (request === null) throw new AppError("conflict", { detail: "Somebody has decided about it already." })
      em.assign(request, { state, decidedById: by, decidedAt: at, comment })
      record(em, request, { activity: `change ${state}`, changes: { comment }, userId: by, at })
    },

    write: records.write,
  }
}
