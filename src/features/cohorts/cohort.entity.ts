import { defineEntity, p } from "@mikro-orm/core"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"

const CohortSchema = defineEntity({
  name: "Cohort",
  tableName: "cohort",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: p.integer().$type<ProjectId>(),
    name: p.text(),
    description: p.text(),
    isStatic: p.boolean(),
    filters: p.json<Json>().nullable(),
    deleted: p.boolean(),
    createdAt: p.datetime(),
    createdById: p.integer().$type<UserId>().nullable(),
  },
})

/** A row of `cohort`. */
export class CohortEntity extends CohortSchema.class {}
CohortSchema.setClass(CohortEntity)
