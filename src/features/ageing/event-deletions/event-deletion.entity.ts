import { defineEntity, p } from "@mikro-orm/core"
import { UserEntity } from "../../access/index.js"
import { ProjectEntity } from "../../projects/index.js"
import type { EventDeletionReason, EventSelection } from "./event-deletions.types.js"

const EventDeletionSchema = defineEntity({
  name: "EventDeletion",
  tableName: "event_deletion",
  properties: {
    id: p.bigint("number").primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    reason: p.text().$type<EventDeletionReason>(),
    selection: p.json<EventSelection>(),
    requestedById: () => p.manyToOne(UserEntity).mapToPk().fieldName("requested_by_id").strictNullable(),
    requestedAt: p.datetime(),
    eventCount: p.bigint("number"),
    remainingCount: p.bigint("number"),
    finishedAt: p.datetime().strictNullable(),
  },
})
/** A row of `event_deletion`, as far as its readers know it. */
export class EventDeletionEntity extends EventDeletionSchema.class {}
EventDeletionSchema.setClass(EventDeletionEntity)

/** What `openDatabase` must know of this feature. */
export const ageingEntities = [EventDeletionEntity]
