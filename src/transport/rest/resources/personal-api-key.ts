import { INTEGER, NULLABLE_TIME, TEXT, TEXT_LIST, TIME } from "../../../kernel/json-schema.js"
import { defineResource } from "./resource.js"

/** A personal key, without its secret. No restriction is an empty list. */
export const PERSONAL_API_KEY = defineResource(["PersonalApiKey", "PersonalApiKey"], {
  id: { schema: TEXT },
  label: { schema: TEXT },
  mask_value: { schema: TEXT, from: "maskedValue" },
  created_at: { schema: TIME },
  last_used_at: { schema: NULLABLE_TIME },
  last_rolled_at: { schema: NULLABLE_TIME },
  user_id: { schema: INTEGER },
  scopes: { schema: TEXT_LIST },
  scoped_teams: { schema: { type: "array", items: INTEGER }, from: "projectIds", show: (ids) => ids ?? [] },
  scoped_organizations: { schema: TEXT_LIST, from: "organizationIds", show: (ids) => ids ?? [] },
})
