import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { readRecords } from "../../../platform/postgres/record-list.js"
import type { Records } from "../../../platform/postgres/records.js"
import { BY_ID, toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { recordProjectActivity } from "../../access/index.js"
import { EventDeletionEntity } from "./event-deletion.entity.js"
import type { EventDeletion, EventSelection } from "./event-deletions.types.js"

const NEWEST_FIRST = [toOrderColumn("requestedAt", "time"), BY_ID].map((column) => ({ ...column, isDescending: true }))

/** A deletion that somebody asks for. */
export interface RequestedEventDeletion {
  readonly projectId: ProjectId
  readonly selection: EventSelection
  readonly eventCount: number
  readonly requestedById: UserId
  readonly requestedAt: Date
}

export type EventDeletionRepository = ReturnType<typeof createEventDeletionRepository>

/** Deletions of events as people see them. A request and its entry in the audit log are written together. */
export function createEventDeletionRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    /** All that were asked for and those by retention of the last days, newest first. */
    list: (projectId: ProjectId, page: PageRequest): Promise<ListPage<EventDeletion>> =>
      readRecords(
        records,
        {
          order: NEWEST_FIRST,
          find: (em, { beyond, options }) => em.find(EventDeletionEntity, { $and: [{ projectId }, beyond] }, options),
          count: (em) => em.count(EventDeletionEntity, { projectId }),
        },
        page,
      ),

    insert: (requested: RequestedEventDeletion): Promise<EventDeletion> =>
      records.write(async (em) => {
        const { projectId, selection, eventCount, requestedById: userId, requestedAt: at } = requested
        const deletion = em.create(EventDeletionEntity, {
          ...requested,
          reason: "requested",
          remainingCount: eventCount,
          finishedAt: null,
        })
        await em.flush()
        const what = { scope: "EventDeletion", itemId: String(deletion.id), activity: "created" }
        // Values of properties may be somebody's, who may want to be forgotten.
        const { names, from, before, properties } = selection
        const changes = {
          names: names === null ? null : [...names],
          from,
          before,
          properties: properties.map(({ name }) => name),
          event_count: eventCount,
        }
        recordProjectActivity(em, { ...what, projectId, changes }, { id: ids.uuidV7(), userId, at })
        return deletion
      }),
  }
}
