import { defineEntity, p } from "@mikro-orm/core"
import type { BucketingIdentifier, EvaluationRuntime } from "../../../flag-engine/index.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"

const FlagSchema = defineEntity({
  name: "FeatureFlag",
  tableName: "feature_flag",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: p.integer().$type<ProjectId>(),
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
    createdById: p.integer().$type<UserId>().nullable(),
    updatedAt: p.datetime(),
    lastModifiedById: p.integer().$type<UserId>().nullable(),
  },
})

/** A row of `feature_flag`. */
export class FlagEntity extends FlagSchema.class {}
FlagSchema.setClass(FlagEntity)
