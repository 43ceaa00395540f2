import { defineEntity, p } from "@mikro-orm/core"
import type { Json } from "../../kernel/json.js"
import { UserEntity } from "../access/index.js"
import { ProjectEntity } from "../projects/index.js"

const CohortSchema = defineEntity({
  name: "Cohort",
  tableName: "cohort",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    name: p.text(),
    description: p.text(),
    isStatic: p.boolean(),
    filters: p.json<Json>().strictNullable(),
    deleted: p.boolean(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id").strictNullable(),
  },
})
/** A row of `cohort`. */
export class CohortEntity extends CohortSchema.class {}
CohortSchema.setClass(CohortEntity)

const RulesVersionSchema = defineEntity({
  name: "FlagRuleVersion",
  tableName: "flag_rule_version",
  properties: {
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id").primary(),
    version: p.bigint("number"),
  },
})
/** A row of `flag_rule_version`, as far as changes of flags and cohorts have to know it; triggers write it. */
export class RulesVersionEntity extends RulesVersionSchema.class {}
RulesVersionSchema.setClass(RulesVersionEntity)

/** What `openDatabase` must know of this feature. */
export const cohortEntities = [CohortEntity, RulesVersionEntity]
