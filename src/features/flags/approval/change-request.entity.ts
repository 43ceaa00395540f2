import { defineEntity, p } from "@mikro-orm/core"
import type { Json } from "../../../kernel/json.js"
import { UserEntity } from "../../access/index.js"
import { ProjectEntity } from "../../projects/index.js"
import type { FlagChanges } from "../flags.types.js"
import { FlagEntity } from "../manage/flag.entity.js"

/** What became of a change that a second person has to approve. */
export type RequestState = "waiting" | "approved" | "rejected"

const ChangeRequestSchema = defineEntity({
  name: "FeatureFlagChangeRequest",
  tableName: "flag_change_request",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    flagId: () => p.manyToOne(FlagEntity).mapToPk().fieldName("flag_id"),
    flagVersion: p.integer(),
    request: p.json<FlagChanges>(),
    changes: p.json<Json>(),
    state: p.text().$type<RequestState>(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id"),
    decidedAt: p.datetime().strictNullable(),
    decidedById: () => p.manyToOne(UserEntity).mapToPk().fieldName("decided_by_id").strictNullable(),
    comment: p.text(),
  },
})
/** A row of `flag_change_request`. */
export class ChangeRequestEntity extends ChangeRequestSchema.class {}
ChangeRequestSchema.setClass(ChangeRequestEntity)

/** A change of a flag that somebody asked for. */
export type ChangeRequest = Readonly<ChangeRequestEntity>
