import { defineEntity, p } from "@mikro-orm/core"
import type { Json } from "../../kernel/json.js"
import { UserEntity } from "../access/index.js"
import { ProjectEntity } from "../projects/index.js"

const ActionSchema = defineEntity({
  name: "Action",
  tableName: "action",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    name: p.text(),
    description: p.text(),
    steps: p.json<Json>(),
    deleted: p.boolean(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id").strictNullable(),
  },
})
/** A row of `action`. */
export class ActionEntity extends ActionSchema.class {}
ActionSchema.setClass(ActionEntity)

/** What `openDatabase` must know of this feature. */
export const actionEntities = [ActionEntity]
