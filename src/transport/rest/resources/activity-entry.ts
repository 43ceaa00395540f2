import { ANY_OBJECT, TEXT, TIME } from "../../../kernel/json-schema.js"
import { defineResource, nested } from "./resource.js"
import { USER } from "./user.js"

/**
 * An entry of what became of one thing (`docs/contract/management.md#audit-log`). Which
 * thing it is, the path of the request says.
 */
export const ACTIVITY_ENTRY = defineResource({
  activity: { schema: TEXT },
  scope: { schema: TEXT, always: null },
  item_id: { schema: TEXT, always: null },
  detail: { schema: ANY_OBJECT, from: "changes", show: (changes) => ({ changes }) },
  created_at: { schema: TIME },
  user: nested(USER),
})
