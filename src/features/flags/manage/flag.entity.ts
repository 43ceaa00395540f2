import { defineEntity, p } from "@mikro-orm/core"
import type { BucketingIdentifier, EvaluationRuntime } from "../../../flag-engine/index.js"
import type { Json } from "../../../kernel/json.js"
import { UserEntity } from "../../access/index.js"
import { ProjectEntity } from "../../projects/index.js"

const FlagSchema = defineEntity({
  name: "FeatureFlag",
  tableName: "feature_flag",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    key: p.text(),
    name: p.text(),
    filters: p.json<Json>(),
    active: p.boolean(),
    deleted: p.boolean(),
    version: p.integer(),
    ensureExperienceContinuity: p.boolean(),
    bucketingIdentifier: p.text().$type<BucketingIdentifier>(),
    evaluationRuntime: p.text().$type<EvaluationRuntime>(),
    evaluationContexts: p.array(String),
    tags: p.array(String),
    isRemoteConfiguration: p.boolean(),
    hasEncryptedPayloads: p.boolean(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id").strictNullable(),
    updatedAt: p.datetime(),
    lastModifiedById: () => p.manyToOne(UserEntity).mapToPk().fieldName("last_modified_by_id").strictNullable(),
  },
})

/** A row of `feature_flag`. */
export class FlagEntity extends FlagSchema.class {}
FlagSchema.setClass(FlagEntity)
