import { ANY_OBJECT, BOOLEAN, INTEGER, TEXT, TEXT_LIST, TIME } from "../../../kernel/json-schema.js"
import { anyJson, flag, integer, nullable, text, textList } from "../body-fields.js"
import { defineResource, nested, type ResourceField } from "./resource.js"
import { USER } from "./user.js"

/** What clients expect and what has no counterpart here. */
const without = (always: ResourceField["always"]): ResourceField => ({ schema: null, always: always ?? null })

/** A feature flag as its management shows it (`docs/contract/flags.md#flag-management`). */
export const FLAG = defineResource(["FeatureFlag", "FeatureFlag"], {
  id: { schema: INTEGER, show: Number },
  name: { schema: TEXT, read: nullable(text) },
  key: { schema: TEXT, read: text },
  filters: { schema: ANY_OBJECT, read: anyJson },
  deleted: { schema: BOOLEAN, read: flag },
  active: { schema: BOOLEAN, read: flag },
  created_by: nested(USER),
  created_at: { schema: TIME },
  updated_at: { schema: TIME },
  version: { schema: INTEGER, read: integer },
  last_modified_by: nested(USER),
  is_simple_flag: { schema: BOOLEAN },
  rollout_percentage: { schema: { type: ["number", "null"] } },
  ensure_experience_continuity: { schema: BOOLEAN, read: nullable(flag) },
  bucketing_identifier: { schema: TEXT, read: nullable(text) },
  evaluation_runtime: { schema: TEXT, read: nullable(text) },
  evaluation_contexts: { schema: TEXT_LIST, read: nullable(textList) },
  is_remote_configuration: { schema: BOOLEAN, read: nullable(flag) },
  has_encrypted_payloads: { schema: BOOLEAN, read: nullable(flag) },
  tags: { schema: TEXT_LIST, read: nullable(textList) },
  status: { schema: TEXT },
  experiment_set: without([]),
  surveys: without([]),
  features: without([]),
  rollback_conditions: without([]),
  performed_rollback: without(false),
  usage_dashboard: without(null),
  analytics_dashboards: without([]),
  has_enriched_analytics: without(false),
  user_access_level: without("editor"),
  can_edit: { schema: BOOLEAN, always: true },
})
