import type { Json } from "../../../kernel/json.js"
import { ANY_OBJECT, BOOLEAN, INTEGER, objectOf, TEXT, TIME } from "../../../kernel/json-schema.js"
import { anyJson, flag, integer, nullable, readFields, text, texts } from "../body-fields.js"
import type { RestRequest } from "../rest-route.types.js"
import { NULLABLE_USER } from "../schemas.js"
import { toWireUser, USER_FIELDS, type UserData } from "../user.wire.js"

/** A flag as the operations answer it. */
export interface FlagData {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly filters: Json
  readonly active: boolean
  readonly deleted: boolean
  readonly version: number
  readonly ensureExperienceContinuity: boolean
  readonly bucketingIdentifier: string
  readonly evaluationRuntime: string
  readonly evaluationContexts: readonly string[]
  readonly tags: readonly string[]
  readonly isRemoteConfiguration: boolean
  readonly hasEncryptedPayloads: boolean
  readonly isSimpleFlag: boolean
  readonly rolloutPercentage: number | null
  readonly status: string
  readonly createdAt: string
  readonly createdBy: UserData | null
  readonly updatedAt: string
  readonly lastModifiedBy: UserData | null
}

/** GraphQL fields of `FlagData`. */
export const FLAG_FIELDS = `id key name filters active deleted version ensureExperienceContinuity bucketingIdentifier
  evaluationRuntime evaluationContexts tags isRemoteConfiguration hasEncryptedPayloads isSimpleFlag rolloutPercentage
  status createdAt createdBy { ${USER_FIELDS} } updatedAt
  lastModifiedBy { ${USER_FIELDS} }`

/** A flag as the management path shows it (`reference/flags.md` section 8). */
export const toWireFlag = (one: FlagData) => ({
  id: Number(one.id),
  name: one.name,
  key: one.key,
  filters: one.filters,
  deleted: one.deleted,
  active: one.active,
  created_by: toWireUser(one.createdBy),
  created_at: one.createdAt,
  updated_at: one.updatedAt,
  version: one.version,
  last_modified_by: toWireUser(one.lastModifiedBy),
  is_simple_flag: one.isSimpleFlag,
  rollout_percentage: one.rolloutPercentage,
  ensure_experience_continuity: one.ensureExperienceContinuity,
  bucketing_identifier: one.bucketingIdentifier,
  evaluation_runtime: one.evaluationRuntime,
  evaluation_contexts: one.evaluationContexts,
  is_remote_configuration: one.isRemoteConfiguration,
  has_encrypted_payloads: one.hasEncryptedPayloads,
  tags: one.tags,
  status: one.status,
  ...WITHOUT_PRODUCT,
  can_edit: true,
})

/** Fields that clients expect and that have no counterpart here. */
const WITHOUT_PRODUCT = {
  experiment_set: [],
  surveys: [],
  features: [],
  rollback_conditions: [],
  performed_rollback: false,
  usage_dashboard: null,
  analytics_dashboards: [],
  has_enriched_analytics: false,
  user_access_level: "editor",
} as const

/** Reads the writable fields of a body. @throws AppError naming the field at fault. */
export const toFlagInput = ({ body }: RestRequest) =>
  readFields(body, {
    key: ["key", text],
    name: ["name", nullable(text)],
    filters: ["filters", anyJson],
    active: ["active", flag],
    deleted: ["deleted", flag],
    version: ["version", integer],
    ensure_experience_continuity: ["ensureExperienceContinuity", nullable(flag)],
    bucketing_identifier: ["bucketingIdentifier", nullable(text)],
    evaluation_runtime: ["evaluationRuntime", nullable(text)],
    is_remote_configuration: ["isRemoteConfiguration", nullable(flag)],
    has_encrypted_payloads: ["hasEncryptedPayloads", nullable(flag)],
    evaluation_contexts: ["evaluationContexts", nullable(texts)],
    tags: ["tags", nullable(texts)],
  })

/** JSON Schemas of the fields that a caller may write. */
export const WRITABLE_FLAG = {
  key: TEXT,
  name: TEXT,
  filters: ANY_OBJECT,
  active: BOOLEAN,
  deleted: BOOLEAN,
  version: INTEGER,
  ensure_experience_continuity: BOOLEAN,
  bucketing_identifier: TEXT,
  evaluation_runtime: TEXT,
  is_remote_configuration: BOOLEAN,
  has_encrypted_payloads: BOOLEAN,
  evaluation_contexts: { type: "array", items: TEXT },
  tags: { type: "array", items: TEXT },
}

/** JSON Schema of a flag. */
export const FLAG = objectOf({
  id: INTEGER,
  ...WRITABLE_FLAG,
  created_by: NULLABLE_USER,
  created_at: TIME,
  updated_at: TIME,
  last_modified_by: NULLABLE_USER,
  is_simple_flag: BOOLEAN,
  rollout_percentage: { type: ["number", "null"] },
  status: TEXT,
  can_edit: BOOLEAN,
})
