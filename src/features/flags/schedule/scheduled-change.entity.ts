import { defineEntity, p } from "@mikro-orm/core"
import type { Json } from "../../../kernel/json.js"
import { UserEntity } from "../../access/index.js"
import { ProjectEntity } from "../../projects/index.js"
import type { FlagChanges } from "../flags.types.js"
import { FlagEntity } from "../manage/flag.entity.js"
import type { Recurrence } from "./next-due.js"

const ScheduledChangeSchema = defineEntity({
  name: "FeatureFlagScheduledChange",
  tableName: "flag_scheduled_change",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    flagId: () => p.manyToOne(FlagEntity).mapToPk().fieldName("flag_id"),
    request: p.json<FlagChanges>(),
    changes: p.json<Json>(),
    startsAt: p.datetime(),
    recurrence: p.text().$type<Recurrence>().strictNullable(),
    dueAt: p.datetime().strictNullable(),
    lastMadeAt: p.datetime().strictNullable(),
    failure: p.text().strictNullable(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id"),
  },
})
/** A row of `flag_scheduled_change`. */
export class ScheduledChangeEntity extends ScheduledChangeSchema.class {}
ScheduledChangeSchema.setClass(ScheduledChangeEntity)

/** A change of a flag that is planned, or was. */
export type ScheduledChange = Readonly<ScheduledChangeEntity>
